//! What is said of a sheet's columns, and of profiles.

catalogue! {
    missing_column = MissingColumn {
        hold(MissingColumn) order_number(field: &str) "no column holds the order number"
            => "give the column the header \"{field}\", or name it in a profile";
        hold(MissingColumn) order_number_of_no_profile(field: &str; guess) "no column holds the order number"
            => "give the column the header \"{field}\"; or have a profile proposed: {1}";
        hold(MissingColumn) of_profile(profile: &str, path: &str, column: &str; edit)
            "the profile {profile} takes {path} from the column \"{column}\", which is not there"
            => "call the column \"{column}\" again, or correct [columns] in {1}";
        hold(MissingColumn) of_profile_renamed(profile: &str, path: &str, column: &str, near: &str; edit, map)
            "the profile {profile} takes {path} from the column \"{column}\", which is not there"
            => "did you mean the column \"{near}\"? call it \"{column}\" again, or write in [columns] of {1}: {2}";
        hold(MissingColumn)
            needed(field: &str; add) "no column holds the {field}" => "add a column {1}, or name its column in a profile";
        hold(MissingColumn) needed_likely(field: &str, column: &str; add)
            "no column surely holds the {field}; \"{column}\" is likely to"
            => "if it does, give the column \"{column}\" the header \"{field}\"; if not, add a column {1}, or name its column in \
            a profile";
        hold(MissingColumn) needed_constant(field: &str; add, set) "no column holds the {field}"
            => "add a column {1}{?2}, or set it for all orders in shipsheet.toml: {2}{/2}";
        hold(MissingColumn) needed_payment(field: &str, other: &str; add) "no column holds the {field}"
            => "add a column {1} with COD or PREPAID for each order: \"{other}\" speaks of how they are paid, and one \
            payment for all of them may be wrong";
        hold(MissingColumn) needed_price(field: &str, total: Option<&str>; add) "no column holds the {field}"
            => "add a column {1} with the price of one piece{?total}; if \"{total}\" is what all pieces of a row come to, \
            give it the header \"Line Total\" instead, and the price is reckoned from it{/total}\
            {!total}, or name its column in a profile{/total}";
        hold(MissingColumn) several(
            fields: Vec<String>, headers: Vec<&str>, price: Option<Finding>, file: Option<String>; import, guess
        ) "{fields:count needed column} are not there: {fields:and}"
            => "say once which column is which: `{1}` asks for it at a terminal, and `{2}` writes a file to complete; or give \
            the columns the headers {headers:quoted and}{?price}, {price}{/price}{?3}\n  and:  add the columns; or, where one value holds for all orders, write it {?file}below [defaults] in {file}{/file}{!file}into \
            a file shipsheet.toml in this folder, which is not there yet{/file}, with your own values:{3}{/3}";
        part price_of_one(total: Option<&str>) "the price being that of one piece{?total}; if \"{total}\" is what all pieces of a \
            row come to, give it the header \"Line Total\" instead, and the price is reckoned from it{/total}";
        hold(MissingColumn) several_of_profile(fields: &[&str], file: Option<String>; edit)
            "{fields:count needed column} are not there: {fields:and}"
            => "complete {1}, which says how this sheet is read{?2}\n  and:  add the columns; or, where one value holds for all orders, write it {?file}below [defaults] in {file}{/file}{!file}into \
            a file shipsheet.toml in this folder, which is not there yet{/file}, with your own values:{2}{/2}";
        hold(MissingColumn) several_constant(fields: &[&str], file: Option<String>; set)
            "{fields:count needed column} are not there: {fields:and}"
            => "add the columns; or, where one value holds for all orders, write it {?file}below [defaults] in {file}{/file}{!file}into \
            a file shipsheet.toml in this folder, which is not there yet{/file}, with your own values:{1}";
        hold(MissingColumn)
            of_sheet(field: &str; add) "no column of this sheet holds the {field}" => "add a column {1}";
        hold(MissingColumn) of_sheet_constant(field: &str; add, set) "no column of this sheet holds the {field}"
            => "add a column {1}{?2}, or set it for all orders in shipsheet.toml: {2}{/2}";
        hold(MissingColumn) of_sheet_payment(field: &str; add) "no column of this sheet holds the {field}"
            => "add a column {1} with COD or PREPAID for each order";
        hold(SingleForSeveral) once_for_which(cells: Vec<Finding>, products: usize, total: Decimal, own: Vec<String>)
            "{cells:and} {cells:stands|stand} once beside {products} products of this row: nobody can tell whether that is \
            meant for each of them, for the first one or for all together; for each, the order would come to {total}, and no \
            total of the sheet says so"
            => "{accept} if it is meant for each of them; otherwise add {own:a column|columns} {own:quoted and} for what \
            belongs to the further products";
        part cell(header: &str, text: &str) "\"{header}\" ({text})";
    }
    unknown_column = UnknownColumn {
        warn(ColumnUnused) left_out() "no field has this name, so the column is not sent"
            => "rename it, or name its field in a profile, if it should be sent";
        warn(ColumnUnused) of_other_version(is_v1: bool) [is_v1]
            "only {?is_v1}version 2{/is_v1}{!is_v1}version 1{/is_v1} of the request has this field; the column is not sent"
            => "{?is_v1}with version 1 the sheet, or [origin] in shipsheet.toml, says where the parcel is picked \
            up{/is_v1}{!is_v1}with version 2 the warehouse says where the parcel is picked up{/is_v1}";
        warn(ColumnUnused) size_in_one()
            "the size of the parcel in one cell, which is not read: the size from the settings is sent"
            => "part it into columns Length, Width and Height, if each parcel has a size of its own";
    }
    layout_changed = LayoutChanged {
        hold(LayoutChanged)
            rule_without_column(profile: &str, column: &str, because: &str, holds: bool, near: Option<&str>; ignore)
            "the profile {profile} {?holds}holds orders back{/holds}{!holds}leaves rows out{/holds} by the column \
            \"{column}\" ({because}), which is not there: nothing would be \
            {?holds}held back{/holds}{!holds}left out{/holds} by it"
            => "{?near}did you mean the column \"{near}\"? {/near}call it \"{column}\" again; or, if your sheets never have it \
            and all orders in them should be shipped, ignore it {1}";
        warn(LayoutChanged)
            finer_rule_without_column(profile: &str, column: &str, because: &str, holds: bool, near: Option<&str>)
            "the profile {profile} {?holds}holds orders back{/holds}{!holds}leaves rows out{/holds} by the column \
            \"{column}\" ({because}), which is not there: nothing would be \
            {?holds}held back{/holds}{!holds}left out{/holds} by it"
            => "{?near}did you mean the column \"{near}\"? {/near}see that no such order is in the sheet";
        hold(LayoutChanged) total_without_column(profile: &str, column: &str, near: Option<&str>; ignore, edit)
            "the profile {profile} compares amounts with the column \"{column}\" ([totals]), which is not there: nothing is \
            compared"
            => "{?near}did you mean the column \"{near}\"? {/near}call the column \"{column}\" again; or ignore it {1}; or \
            correct [totals] in {2}";
        hold(OtherLayout)
            another_layout(profile: &str, had: Option<usize>, all: usize, missing: &[String]; recognise, list, guess)
            "the profile {profile} was named, and this sheet has {?had}{had}{/had}{!had}none{/had} of the {all} columns that \
            it is known by; missing are {missing:quoted and}"
            => "{1} to have the sheet recognised, name the right one (`{2}`), or have one proposed: {3}; {accept} to read it \
            by that profile all the same";
        hold(LayoutChanged) headers_gone(profile: &str, gone: Vec<Finding>; save, headers)
            "this sheet is nearly what the saved profile {profile} expects, but its {gone:column|columns} {gone:and} \
            {gone:is|are} gone"
            => "rename the header back; or, if the sheet is to be so from now on, save the profile anew: {1}; or go by the \
            headers alone: {2}";
        hold(LayoutChanged) headers_renamed(profile: &str, gone: Vec<Finding>, renamed: Vec<Finding>; edit, headers)
            "this sheet is nearly what the saved profile {profile} expects, but its {gone:column|columns} {gone:and} \
            {gone:is|are} gone"
            => "rename the header back; or, if the sheet is to be so from now on, write {renamed:and} wherever it stands in \
            {1}; or go by the headers alone: {2}";
        part gone(header: &str, now: Option<&str>) "\"{header}\"{?now} (now \"{now}\"?){/now}";
        part renamed(now: &str, header: &str) "{now:toml} for {header:toml}";
        hold(LayoutChanged) kind_changed(column: &str, before: &str, profile: &str, now: &str; save)
            "the column \"{column}\" held {before} when the profile {profile} was saved, and now holds {now}"
            => "format the column as {before} again; or, if it is meant to be so, save the profile anew: {1}";
    }
    ambiguous_layout = AmbiguousLayout {
        hold(WhichProfile)
            several_profiles(profiles: &[&str]; use_first) "several profiles fit this sheet: {profiles:and}"
            => "name the one that is meant: {1}";
    }
    sheet_notice = SheetNotice {
        warn(ProfileChoice) nearly_of_profile(profile: &str, gone: &[String]; use_it)
            "this sheet has most headers of the saved profile {profile}, but not {gone:quoted and}, and many others: it is \
            read without it"
            => "if it is meant for this sheet, rename the headers, or name it: {1}";
        warn(ProfileChoice) nearly_of_program(profile: &str, gone: Vec<Finding>; ignore)
            "this sheet is nearly what the profile {profile} expects, but its {gone:column|columns} {gone:and} \
            {gone:is|are} gone: it is read by its headers alone"
            => "to have it read with the profile, rename the header back, or ignore it {1}";
        warn(ProfileChoice) profile_never_used(profile: &str, columns: &[String]; edit, use_it)
            "the saved profile {profile} is not used: it has no recognised_by, which says for which sheets it is"
            => "for all sheets with such columns, write at the top of {1}: recognised_by = [{columns:toml}]; for this one \
            alone: {2}";
        warn(ColumnInferred) joined_parts(headers: Vec<String>; ignore)
            "{headers:quoted and} {headers:goes|go} into the lines of the address, in the order in which addresses are written"
            => "see that the addresses are right; ignore what is no part of them {1}";
        warn(ColumnInferred) taken_for_payment(header: &str, field: &str)
            "\"{header}\" holds types of payment: it is taken for the {field}"
            => "give it the header \"{field}\" to silence this warning";
        warn(ColumnInferred) address_parted(header: &str, fields: &[&str])
            "addresses in \"{header}\" end with their city or PIN code: {fields:and} {fields:is|are} taken from them"
            => "see that the addresses are right; to silence this warning, give each part a column of its own";
        warn(ColumnInferred) name_with_phone(header: &str)
            "cells in \"{header}\" end with a phone number: it is taken from them, and the name before it"
            => "see that names and numbers are right; to silence this warning, give each a column of its own";
        warn(ColumnInferred) price_of_total(header: &str; add)
            "no column holds the Price: it is reckoned from \"{header}\", by the quantity"
            => "see that the prices are right; to silence this warning, add a column {1}";
        warn(ColumnInferred) inferred(columns: Vec<Finding>; ignore)
            "told by header and cells together: {columns:and}"
            => "if one of them is something else, ignore it, such as {1}; to silence this warning, give the columns the \
            headers of their fields, or save a profile";
        part taken(header: &str, field: &str) "\"{header}\" is the {field}";
        warn(ColumnInferred) products_in_headers(headers: Vec<String>)
            "{headers:quoted and} {headers:is a product|are products}: {headers:its|their} name and price are taken from the header, and the cells are numbers \
            of pieces"
            => "see that names and prices are right";
        warn(ColumnInferred) sides_in_one(header: &str)
            "\"{header}\" holds the three sides of the parcel: they are taken for length, width and height"
            => "part it into columns Length, Width and Height, if they stand in another order";
    }
    duplicate_header = DuplicateHeader {
        hold(TwoColumns) two_columns(field: &str, first: &Place, second: &Place)
            "two columns may be the {field}: {first} and {second}"
            => "{accept} to take the first; otherwise give the one that is not meant another header{?1}, or ignore it \
            {1}{/1}";
        warn(ColumnUnused) second_left_out(field: &str, taken: &str, other: &str; ignore)
            "two columns may be the {field}: \"{taken}\" is taken and \"{other}\" is not sent"
            => "if that is the wrong way round, ignore \"{taken}\" {1}";
        warn(ColumnUnused) second_where_blank(field: &str, taken: &str, other: &str; ignore)
            "two columns may be the {field}: \"{taken}\" is taken, and \"{other}\" where that is blank"
            => "if that is the wrong way round, ignore \"{taken}\" {1}";
        hold(ColumnsDiffer)
            two_receivers(field: &str, taken: &[&str], others: &[&str]; ignore, ignore_others)
            "two columns may be the {field}, and they differ: {taken:quoted and} would be sent and {others:quoted and} not"
            => "{accept} to send {taken:quoted and}; if the parcel goes where {others:quoted and} {others:says|say}, ignore \
            {taken:quoted and} {1}; if it never does, {2}";
        hold(ColumnsDiffer)
            two_figures(field: &str, taken: &str, says: Decimal, other: &str, other_says: Decimal; ignore)
            "two columns may be the {field}, and they differ: \"{taken}\" says {says} and \"{other}\" says {other_says}"
            => "{accept} to send \"{taken}\"; if the other is meant, ignore this one {1}";
    }
    currency_clash = CurrencyClash {
        hold(UnitUnclear) two_headers(other: &str, says: &str, header: &str, unit: &str)
            "\"{other}\" says {says} and \"{header}\" says {unit}, but an order has one"
            => "{accept} to take all figures in {says}; otherwise write one of the two columns in the unit of the other";
        hold(UnitUnclear)
            with_header(header: &str, says: &str, unit: &str) "the header \"{header}\" says {says}, but this says {unit}"
            => "{accept} to send {unit}, or correct the header";
        hold(UnitUnclear) with_constant(header: &str, unit: &str; add, set)
            "the header \"{header}\" names another unit than {unit}, which holds for all orders"
            => "correct the header, or add a column {1}{?2}, or set it in shipsheet.toml: {2}{/2}";
    }
    unit_clash = UnitClash {
        hold(UnitUnclear) two_headers(other: &str, says: &str, header: &str, unit: &str)
            "\"{other}\" says {says} and \"{header}\" says {unit}, but an order has one"
            => "{accept} to take all figures in {says}; otherwise write one of the two columns in the unit of the other";
        hold(UnitUnclear)
            with_header(header: &str, says: &str, unit: &str) "the header \"{header}\" says {says}, but this says {unit}"
            => "{accept} to send {unit}, or correct the header";
    }
    merged_cells = MergedCells {
        hold(MergedCells)
            over_products(field: &str) "the {field} is merged with the row above: is it for one product or for each?"
            => "unmerge the cells, and type in each row what holds for it";
        hold(MergedCells)
            over_orders(field: &str) "the {field} is merged with the row above: is it for both orders together or for each?"
            => "unmerge the cells, and type in each row what holds for it";
    }
    bad_unit = BadUnit {
        hold(TaxUnclear) percent_in_header(header: &str, field: &str)
            "the header \"{header}\" says percent, but the {field} is an amount of money"
            => "{accept}, or take the percent out of the header, if it is money already; where it is percent, a column \
            \"{field}\" has the amount";
        hold(ImplausibleValue) weight_without_unit(unit: &str, from: Decimal)
            "nothing says what this weight is in, and {unit} is hardly meant from {from} on"
            => "write the unit behind the figure, such as 600 g; or, where all of the column is in one unit, give it the \
            header \"Weight (g)\" or \"Weight (kg)\", or add a column \"Weight Unit\"";
    }
    ambiguous_number = AmbiguousNumber {
        hold(TaxUnclear) amount_in_header(header: &str, field: &str)
            "the header \"{header}\" says an amount, but the {field} is in percent"
            => "give the column the header \"{field}\" if it is percent, or \"Tax Amount\" if it is money: that is not sent; {accept} \
            to send the figure as the rate";
        hold(TaxUnclear) rate_or_money(header: &str, field: &str)
            "the header \"{header}\" does not say whether this is percent or money, and its column holds figures that no rate \
            of tax has"
            => "give the column the header \"{field}\" if it is percent, or \"Tax Amount\" if it is money: that is not sent; {accept} \
            to send the figure as the rate";
    }
    unusual_value = UnusualValue {
        hold(ImplausibleValue) light_weight(weight: Decimal, unit: &str)
            "{weight} {unit} is hardly the weight of one parcel; is this grams, or the number wrong?"
            => "{accept} if it is right; otherwise write the weight of the parcel, in the unit that its column names";
        hold(ImplausibleValue) light_in_grams(weight: Decimal, unit: &str)
            "{weight} {unit} is hardly the weight of one parcel; is this kilograms?"
            => "{accept} if it is right; otherwise write the weight of the parcel, in the unit that its column names";
        hold(ImplausibleValue) heavy_weight(weight: Decimal, unit: &str; setting)
            "{weight} {unit} is hardly the weight of one parcel; is this grams?"
            => "write the weight of the parcel, in the unit that its column names; where the whole column is in grams, give it \
            the header \"Weight (g)\"{?1}; if {weight} {unit} is right, say so in \
            shipsheet.toml: {1}{/1}{!1}; {accept} if it is right{/1}";
        hold(ImplausibleValue) heavy_in_grams(weight: Decimal, unit: &str; setting)
            "{weight} {unit} is hardly the weight of one parcel; is the number right?"
            => "write the weight of the parcel, in the unit that its column names{?1}; if {weight} {unit} is right, say so \
            in shipsheet.toml: {1}{/1}{!1}; {accept} if it is right{/1}";
        hold(ImplausibleValue) many_pieces(pieces: Decimal) "{pieces} pieces of one product: is this number right?"
            => "{accept} if it is right; otherwise write how many pieces are sent";
        hold(MeasureUnused) unused(headers: &[&str], fields: Vec<String>; ignore) [fields]
            "{headers:quoted and} may say {?fields}{fields:quoted and}{/fields}{!fields}the size{/fields} of this parcel, and no \
            field takes {headers:it|them}: the settings would be booked instead"
            => "{accept} to book what the settings say; {?fields}if {headers:it is|they are} the parcel's, give \
            {headers:it the header|them the headers} {fields:quoted and}{/fields}{!fields}or write it as 20x15x10{/fields}; to \
            always ignore {headers:it|them}, {1}";
    }
}
