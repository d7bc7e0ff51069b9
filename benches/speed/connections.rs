//! What it costs that every booking has a connection of its own: the program's client against one that keeps connections,
//! plain and with TLS, over services of several latencies. Server and client share this process and its processor time.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use shipsheet::api::outcome::Observed;
use shipsheet::api::{Client, ClientOptions, Endpoint, Token};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use crate::line;

const IN_FLIGHT: usize = 64;
const ANSWER: &str = r#"{"orderId":"1","awb":"AWB1","cratedAt":"1763700000000","shipmentPurchaseError":null}"#;
/// As long as the request of an order with all its fields.
const BODY: usize = 1_600;
const TLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/api/tests/tls");

/// Measures every pair and prints a line for each.
pub(crate) fn all() -> Result<()> {
    for tls in [false, true] {
        for (latency, posts) in [(0, 10_000), (20, 10_000), (200, 3_000)] {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
            let (own, kept) = runtime.block_on(pair(tls, Duration::from_millis(latency), posts))?;
            let transport = if tls { "TLS" } else { "plain" };
            let how = format!(
                "{:.0}/s and {:.3} s of processor time per 1,000; kept {:.0}/s and {:.3} s",
                own.rate, own.cpu, kept.rate, kept.cpu
            );
            let what = format!("own connections, {transport}, {latency} ms, C = {IN_FLIGHT}, of kept ones");
            line(&what, "-", &format!("{:.2}", own.rate / kept.rate), &how);
        }
    }
    Ok(())
}

/// Posts a second, and processor time per 1,000 of them.
struct Cost {
    rate: f64,
    cpu: f64,
}

async fn pair(tls: bool, latency: Duration, posts: usize) -> Result<(Cost, Cost)> {
    let url = serve(tls, latency).await?;
    let authority = format!("{TLS}/authority.pem");
    let own = Client::new(ClientOptions {
        ca_file: tls.then(|| authority.clone().into()),
        ..ClientOptions::new(Endpoint::parse(&url)?)
    })?;
    let token = Token::new("a-token-of-the-benchmark")?;
    let mut kept = reqwest::Client::builder().http1_only().no_proxy().pool_max_idle_per_host(IN_FLIGHT);
    kept = if tls {
        kept.tls_certs_only([reqwest::Certificate::from_pem(&fs::read(authority)?)?])
    } else {
        kept.tls_certs_only([])
    };
    let (kept, address) = (kept.build()?, format!("{url}/v2/external/shipments/forward-shipment"));
    let by_own = async || measured(posts, || book(own.clone(), token.clone())).await;
    let by_kept = async || measured(posts, || post(kept.clone(), address.clone())).await;
    // In turns, and the better of two: whatever else the machine does meets both.
    let (first, second) = (by_own().await?, by_kept().await?);
    let (third, fourth) = (by_own().await?, by_kept().await?);
    Ok((better(first, third), better(second, fourth)))
}

fn better(one: Cost, other: Cost) -> Cost {
    if one.rate > other.rate { one } else { other }
}

fn body() -> Vec<u8> {
    let filler = "x".repeat(BODY);
    format!("{{\"orderNumber\":\"ORD-1\",\"sellerNote\":\"{filler}\"}}").into_bytes()
}

async fn book(client: Client, token: Token) -> Result<()> {
    let observed = client.forward_shipment(&token, body()).await;
    ensure!(matches!(&observed, Observed::Reply(reply) if reply.status == 201), "{observed:?}");
    Ok(())
}

async fn post(client: reqwest::Client, address: String) -> Result<()> {
    let answer = client.post(address).bearer_auth("a-token-of-the-benchmark").body(body()).send().await?;
    ensure!(answer.status() == 201);
    answer.bytes().await?;
    Ok(())
}

async fn measured<F>(posts: usize, one: impl Fn() -> F) -> Result<Cost>
where
    F: Future<Output = Result<()>> + Send + 'static,
{
    let left = Arc::new(AtomicUsize::new(posts));
    let mut tasks = JoinSet::new();
    let (started, cpu) = (Instant::now(), processor_time()?);
    while left.load(Ordering::Relaxed) > 0 || !tasks.is_empty() {
        while tasks.len() < IN_FLIGHT && left.load(Ordering::Relaxed) > 0 {
            left.fetch_sub(1, Ordering::Relaxed);
            tasks.spawn(one());
        }
        if let Some(ended) = tasks.join_next().await {
            ended??;
        }
    }
    let (seconds, spent) = (started.elapsed().as_secs_f64(), processor_time()? - cpu);
    #[expect(clippy::cast_precision_loss, reason = "figures for people")]
    let posts = posts as f64;
    Ok(Cost { rate: posts / seconds, cpu: spent * 1_000.0 / posts })
}

/// Processor time of this process, in seconds; 0 where the system does not tell.
fn processor_time() -> Result<f64> {
    const TICKS_PER_SECOND: f64 = 100.0;
    let Ok(stat) = fs::read_to_string("/proc/self/stat") else { return Ok(0.0) };
    let fields: Vec<&str> = stat.rsplit(')').next().context("no fields")?.split_whitespace().collect();
    let ticks = |index: usize| fields.get(index).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    Ok((ticks(11) + ticks(12)) / TICKS_PER_SECOND)
}

/// Serves bookings on loopback and gives the address.
async fn serve(tls: bool, latency: Duration) -> Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let acceptor = if tls { Some(acceptor()?) } else { None };
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let _ = stream.set_nodelay(true);
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                match acceptor {
                    None => answer(stream, latency).await,
                    Some(acceptor) => {
                        if let Ok(stream) = acceptor.accept(stream).await {
                            answer(stream, latency).await;
                        }
                    }
                }
            });
        }
    });
    Ok(format!("{}://{address}", if tls { "https" } else { "http" }))
}

fn acceptor() -> Result<TlsAcceptor> {
    let certificate = CertificateDer::from_pem_file(format!("{TLS}/loopback.pem"))?;
    let key = PrivateKeyDer::from_pem_file(format!("{TLS}/loopback.key"))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

async fn answer<S: AsyncRead + AsyncWrite + Unpin>(stream: S, latency: Duration) {
    let service = service_fn(move |request: Request<Incoming>| async move {
        request.into_body().collect().await?;
        if !latency.is_zero() {
            tokio::time::sleep(latency).await;
        }
        let mut response = Response::new(Full::new(Bytes::from_static(ANSWER.as_bytes())));
        *response.status_mut() = hyper::StatusCode::CREATED;
        Ok::<_, hyper::Error>(response)
    });
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}
