//! Pictures of figures: shapes as SVG that stretches to any width, and names as text that does not.

use maud::{Markup, html};

use crate::text::{indian, visible};

use super::layout::{Chart, Series, Shape};

/// Room for so many bars at least, so that a few are no walls.
const SLOTS_MIN: usize = 8;
/// More names than these have no room below a picture.
const NAMES_MAX: usize = 12;
/// How wide the room of one bar is, and how high the picture is, in its own units.
const SLOT: u64 = 100;
const HEIGHT: u64 = 1_000;

/// A picture with its title, and what it shows in words.
pub(super) fn chart(chart: &Chart) -> Markup {
    html! {
        figure.chart {
            figcaption { b { (visible(&chart.title)) } span.soft { (visible(&chart.alternative)) } }
            @if chart.series.len() > 1 {
                p.legend { @for series in &chart.series { span { (swatch(series)) (series.name) } } }
            }
            @match chart.shape {
                Shape::Ranked => (ranked(chart)),
                Shape::Bars | Shape::Line => (upright(chart)),
            }
        }
    }
}

fn swatch(series: &Series) -> Markup {
    html! { svg.swatch viewBox="0 0 1 1" aria-hidden="true" { rect class=(series.class) width="1" height="1" {} } }
}

fn upright(chart: &Chart) -> Markup {
    let (count, is_line) = (chart.labels.len(), chart.shape == Shape::Line);
    let slots = if is_line { count } else { count.max(SLOTS_MIN) };
    let sums = (0..count).map(|n| chart.series.iter().map(|series| value(series, n)).sum::<u64>());
    let most = sums.max().unwrap_or(0).max(1);
    let width = if is_line { count.saturating_sub(1).max(1) } else { slots } as u64 * SLOT;
    html! {
        div.plot {
            span.most aria-hidden="true" { (indian(&most.to_string())) }
            svg role="img" aria-label={ (visible(&chart.title)) ". " (visible(&chart.alternative)) }
                viewBox={ "0 0 " (width) " " (HEIGHT) } preserveAspectRatio="none" {
                @if is_line { (line(chart, most, width)) } @else { (bars(chart, most)) }
            }
        }
        // A line goes from edge to edge, and so do the names below it.
        div.ticks.ends[is_line || slots > NAMES_MAX] aria-hidden="true" {
            @if slots <= NAMES_MAX {
                @for n in 0..slots { span { (chart.labels.get(n).map(|label| visible(label)).unwrap_or_default()) } }
            } @else {
                @for label in [chart.labels.first(), chart.labels.get(count / 2), chart.labels.last()].into_iter().flatten() {
                    span { (visible(label)) }
                }
            }
        }
    }
}

fn value(series: &Series, n: usize) -> u64 {
    series.values.get(n).copied().unwrap_or_default()
}

/// A figure in the picture's units.
const fn scaled(value: u64, most: u64) -> u64 {
    value.saturating_mul(HEIGHT) / most
}

fn bars(chart: &Chart, most: u64) -> Markup {
    html! {
        @for (n, label) in chart.labels.iter().enumerate() {
            g {
                title { (visible(label)) @for series in &chart.series { ", " (series.name) " " (indian(&value(series, n).to_string())) } }
                @for (level, series) in chart.series.iter().enumerate() {
                    @let below: u64 = chart.series[..level].iter().map(|series| value(series, n)).sum();
                    @let own = value(series, n);
                    @let top = HEIGHT - scaled(below + own, most);
                    @let height = (HEIGHT - scaled(below, most)) - top;
                    // What is there is seen, however little it is.
                    @let height = if own > 0 { height.max(6) } else { 0 };
                    rect class=(series.class) x=(n as u64 * SLOT + SLOT / 8) y=(top) width=(SLOT * 3 / 4) height=(height) {}
                }
            }
        }
    }
}

fn line(chart: &Chart, most: u64, width: u64) -> Markup {
    html! {
        @for series in &chart.series {
            @let point = |n: usize| format!("{},{}", n as u64 * SLOT, HEIGHT - scaled(value(series, n), most));
            // One point alone is a line as well.
            @let points: Vec<String> = match series.values.len() {
                1 => vec![point(0), format!("{width},{}", HEIGHT - scaled(value(series, 0), most))],
                count => (0..count).map(point).collect(),
            };
            polygon class={ (series.class) " area" } points={ "0," (HEIGHT) " " (points.join(" ")) " " (width) "," (HEIGHT) } {}
            polyline class={ (series.class) " line" } points=(points.join(" ")) {}
        }
    }
}

fn ranked(chart: &Chart) -> Markup {
    let Some(series) = chart.series.first() else { return html! {} };
    let most = series.values.iter().copied().max().unwrap_or(0).max(1);
    html! {
        dl.ranked {
            @for (n, label) in chart.labels.iter().enumerate() {
                div {
                    dt { (visible(label)) }
                    dd {
                        svg aria-hidden="true" viewBox={ "0 0 " (HEIGHT) " 1" } preserveAspectRatio="none" {
                            rect class=(series.class) width=(scaled(value(series, n), most)) height="1" {}
                        }
                        span { (indian(&value(series, n).to_string())) }
                    }
                }
            }
        }
    }
}
