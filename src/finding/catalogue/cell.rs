//! What is said of one cell's value.

catalogue! {
    note = SheetNotice {
        part configured_default() "" => "this value comes from the settings";
        part accepted(by: &str, on: &str) "accepted by {by} on {on}";
        part no_longer_accepted(by: &str, on: &str, changed: &[&str])
            "{by} accepted this on {on}, and {changed:quoted and} changed since";
    }

    turned_into_date = TurnedIntoDate {
        hold(ValueDamaged) by_spreadsheet() "a spreadsheet took this for a date, and what was typed is lost"
            => "format the column as text and type the value again";
        hold(ValueDamaged) reads_as_date(text: &str)
            "reads as a spreadsheet writes a date or a time: what was typed (such as 3-4 or MAR05) is lost"
            => "format the column as text and type the value again; if it really reads so, write =\"{text}\"";
        warn(ValueDamaged) may_be_date(text: &str) like reads_as_date
            "reads as a spreadsheet writes a date or a time: what was typed (such as 3-4 or MAR05) is lost, unless it is what is \
             meant"
            => "format the column as text and type the value again; if it really reads so, write =\"{text}\"";
    }

    digits_lost = DigitsLost {
        hold(ValueDamaged) too_many() "a number with more digits than a spreadsheet keeps: its last digits are lost"
            => "format the column as text and type the value again";
        hold(ValueDamaged) shortened() "a spreadsheet has shortened this number and its last digits are lost"
            => "format the column as text and type the number again";
        hold(ValueDamaged) phone_of_zeros() "ends in zeros, as a number does that a spreadsheet has shortened and saved again"
            => "type the number again from its source";
        hold(ValueDamaged) phone_of_one_digit() "the same digit over and over: this is not a real number"
            => "type the customer's number";
        warn(ValueDamaged) ends_in_zeros() "ends in zeros after its 15th digit, as numbers do that a spreadsheet has cut"
            => "{?1}type it again: \"{1}\"{/1}{!1}compare it with its source; format the column as text{/1}";
        hold(ValueDamaged) number_reads_shortened(text: &str) "reads like a number that a program has shortened"
            => "format the column as text and type the value again; if it really reads so, write =\"{text}\"";
        warn(ValueDamaged) reads_shortened() "reads like a number that a program has shortened; it is taken as it stands"
            => "compare it with its source; if it was a number there, format the column as text and type it again";
        hold(ValueDamaged) tariff_begins(digits: usize)
            "a tariff code of {digits} digits: a spreadsheet took it for a number, and the zero at its beginning is lost"
            => "format the column as text and type the code again, for instance 6204.10";
        hold(ValueDamaged) tariff_ends(digits: usize) like tariff_begins
            "a tariff code of {digits} digits: a spreadsheet took it for a number, and the zero at its end is lost"
            => "format the column as text and type the code again, for instance 6204.10";
    }

    digits_restored = DigitsRestored {
        warn(ValueRepaired)
            restored(digits: &str) "a spreadsheet has shortened this number; all digits are there, taken as {digits}"
            => "{?1}type it again: \"{1}\"{/1}{!1}format the column as text to silence this warning{/1}";
        warn(ValueRepaired) noise(number: &str) "a program's rounding error stands behind this number; taken as {number}"
            => "round it where the sheet is made, to silence this warning";
    }

    error_cell = ErrorCell {
        hold(UnreadableCell) formula_failed() "the formula in this cell failed" => "correct the formula or type the value";
        hold(UnreadableCell) formula_had_failed() "the formula in this cell had failed when the sheet was saved as text"
            => "correct the formula and save the sheet again, or type the value";
    }

    formula_without_value = FormulaWithoutValue {
        hold(UnreadableCell) saved_without_value() "a formula that was saved without its value"
            => "open the file in a spreadsheet program and save it again";
    }

    bad_text = BadText {
        hold(MissingValue) invisible(accepted: &str) "holds only characters that cannot be seen; it should be {accepted}"
            => "empty the cell, or type the value again";
        hold(TextForm)
            control_characters() "holds control characters that cannot be printed" => "type the text again";
        hold(OrderNumberForm) not_what_it_seems() "this text is not what it seems" => "type it again{?1}: \"{1}\"{/1}";
    }

    no_value = NoValue {
        hold(PlaceholderValue) elsewhere(text: &str) "\"{text}\" points to another cell, which is not sent"
            => "write the value itself";
    }

    too_long = TooLong {
        hold(TextForm)
            text(length: usize, most: usize) "{length} characters; at most {most} are accepted" => "{accept} to send all of it, or write less";
    }

    mojibake = Mojibake {
        hold(ValueDamaged) letter_lost(mark: &str) "holds {mark}: a letter was lost before it came into this sheet"
            => "type the text again";
        hold(ValueDamaged)
            letters_lost() like letter_lost "holds question marks for letters: a letter was lost before it came into this sheet"
            => "type the text again";
        warn(ValueRepaired)
            repaired(text: &str) "was read in a wrong encoding before it came into this sheet; taken as \"{text}\""
            => "{?1}type it again: \"{1}\"{/1}{!1}export the sheet again as UTF-8, or correct the cell, if that is not what is \
                meant{/1}";
        hold(ValueDamaged) quotes_lost() "was written with a backslash before each quote, which sheets do not know: quotes are lost"
            => "export the sheet again with each quote written twice, or type the text again";
        hold(ValueDamaged) wrong_encoding() "was read in a wrong encoding before it came into this sheet"
            => "export the sheet again as UTF-8, or type the text again";
    }

    invisible_characters = InvisibleCharacters {
        warn(ValueRepaired) taken_out() "holds characters that cannot be seen, such as hard spaces; they are taken out"
            => "{?1}type it again: \"{1}\"{/1}{!1}type the text again to silence this warning{/1}";
    }

    smart_quotes = SmartQuotes {
        warn(ValueRepaired) around_value() "stands in typographic quotes, which are taken off"
            => "{?1}type it again: \"{1}\"{/1}{!1}write it without quotes to silence this warning{/1}";
    }

    line_breaks = LineBreaks {
        hold(TextForm) within_code() "holds several lines or a tab, where one code should be"
            => "write one code alone; a row of its own for each, if several are meant";
        warn(ValueRepaired) joined(text: &str) "holds several lines or a tab; sent on one line as \"{text}\""
            => "write it on one line to silence this warning";
    }

    bad_number = BadNumber {
        hold(ValueForm) not_number(accepted: &str) "not a number; it should be {accepted}"
            => "write digits, with a point before the decimals";
        hold(ValueForm) scientific(accepted: &str) "not a number; it should be {accepted}"
            => "a spreadsheet has shortened this number: format the column as text and type it again";
        hold(ValueForm) in_inches(accepted: &str) "not a number; it should be {accepted}"
            => "a mark of inches or feet: write the figure alone, and its unit into the header, such as \"Length (in)\"";
        hold(ImplausibleValue) below_zero(accepted: &str) "below zero; it should be {accepted}" => "{accept} to send it as it stands, or write zero or more";
        hold(ValueForm) too_large() "larger than 999,999,999,999" => "check the digits, and whether another value stands in this column";
        hold(TaxUnclear)
            no_rate(accepted: &str) "not between 0 and 100; it should be {accepted}" => "{accept} if it is right, or write the rate in percent";
        hold(TaxUnclear) tax_on_top() "says that the tax comes on top of the price, and nothing adds it"
            => "{accept} to send the figure alone as the rate, and the price as it stands; where customers pay the tax on \
                top, a column \"Other Charges\" has its amount";
    }

    not_positive = NotPositive {
        hold(ImplausibleValue)
            number(accepted: &str) "not above zero; it should be {accepted}" => "{accept} to send it as it stands, or write a number above zero";
    }

    not_whole = NotWhole {
        hold(ImplausibleValue)
            number(accepted: &str) "not a whole number; it should be {accepted}" => "{accept} to send it as it stands, or write how many pieces";
    }

    ambiguous_number = AmbiguousNumber {
        hold(AmbiguousNumber) three_decimals(sign: &str, taken: Option<&str>; as_thousands, as_decimals)
            "an amount with three digits behind its {sign}: thousands or decimals{?taken}; sent as it is, it means {taken}{/taken}"
            => "write {1}, or {2} if it has decimals";
        hold(TaxUnclear) percent_or_part(number: &str, percent: &str; as_percent, as_part)
            "{number} may mean {percent} % or {number} %" => "write {1}, or {2} with its sign; {accept} to send {number} as it stands";
        hold(AmbiguousNumber)
            comma_in_mixed_column(taken: Option<&str>, other: Option<&str>)
            "a comma that may mean thousands or decimals{?other} ({taken} or {other}){/other}; other cells of this column show \
             both{?taken}; sent as it is, it means {taken}{/taken}"
            => "write it without the comma, or with a decimal point";
        hold(AmbiguousNumber) comma_alone(taken: Option<&str>, other: Option<&str>; always_point)
            "a comma that may mean thousands or decimals{?other} ({taken} or {other}){/other}; no other cell of this column \
             shows which{?taken}; sent as it is, it means {taken}{/taken}"
            => "write it without the comma, or with a decimal point{?1}; if your sheets always write decimals with a point, in \
                shipsheet.toml: {1}{/1}";
        hold(OrderNumberForm) order_number(digits: &str; without_comma, with_hyphen)
            "an order number with a comma between thousands, as spreadsheets show {digits}"
            => "write {1}, or {2} if the comma belongs to it";
    }

    currency_clash = CurrencyClash {
        hold(CurrencyUnclear) other_sign(sign: &str, currency: &str; name_currency)
            "an amount in \"{sign}\", but the order's currency is {currency}"
            => "name its currency: a column \"Currency\", or {1}; {accept} if the figure is in {currency} all the same";
    }

    bad_currency = BadCurrency {
        hold(CurrencyUnclear) unknown(near: Option<&str>)
            "not a currency code; it should be a three-letter ISO 4217 code such as INR"
            => "{?near}did you mean \"{near}\"? {/near}write the three letters, for instance INR; {accept} to send it as it stands";
    }

    bad_country = BadCountry {
        hold(CountryUnclear) unknown()
            "not a known country; it should be a two-letter ISO 3166 code such as IN, or the English name"
            => "write the two letters, for instance IN for India; {accept} to send it as it stands";
    }

    bad_pin_code = BadPinCode {
        hold(PinForm) form(text: &str, digits: Option<usize>, country: Option<&str>, accepted: &str)
            "\"{text}\" is not a postal code{?country} of {country}{/country}{?digits}: it has {digits:count digit}{/digits}; \
             it should be {accepted}"
            => "{accept} if it is right; otherwise look it up and type it as text, so that no zero is lost";
    }

    zero_restored = ZeroRestored {
        warn(ValueRepaired) postal_code(country: &str, digits: usize, code: &str)
            "a postal code of {country} has {digits} digits; taken as {code}"
            => "format the column as text, so that no zero is lost";
    }

    bad_email = BadEmail {
        hold(EmailForm) form() "not an e-mail address; it should be one such as name@example.com"
            => "{accept} if it is right; otherwise correct it";
    }

    bad_flag = BadFlag {
        hold(ValueForm) neither(accepted: &str) "neither yes nor no; it should be {accepted}" => "write yes or no";
    }

    bad_unit = BadUnit {
        hold(UnitUnclear)
            unknown(accepted: &str) "not a known unit; it should be {accepted}" => "{accept} to send it as it stands, or write the unit alone";
    }

    bad_payment = BadPayment {
        hold(PaymentUnknown) how_far(accepted: &[String])
            "says how far the payment is, not how it is paid; it should be {accepted:or}"
            => "write PREPAID where it is paid for certain and COD where the courier collects it; delete the rows of an order \
                that should not be shipped";
        hold(PaymentUnknown) figure(accepted: &[String]) "not a known payment type; it should be {accepted:or}"
            => "write {accepted:or}; a figure here may stand in the wrong column";
        hold(PaymentUnknown)
            no(text: &str, accepted: &[String]) "not a known payment type; it should be {accepted:or}"
            => "write PREPAID where it is paid, COD where the courier collects it; where \"{text}\" always means COD, give the \
                column the header \"Prepaid\"";
        hold(PaymentUnknown)
            unknown(text: &str, accepted: &[String]) "not a known payment type; it should be {accepted:or}"
            => "write PREPAID where it is paid, COD where the courier collects it; import the sheet at a terminal or on the desk to \
                say once what \"{text}\" means";
    }

    unknown_warehouse = UnknownWarehouse {
        hold(UnknownWarehouse) unnamed(text: &str, known: &[&str], near: Option<&str>, called: Option<&str>; name_it)
            "no warehouse of this name is known; known are {known:and}"
            => "{?near}did you mean \"{near}\"{?called} ({called}){/called}? {/near}correct the name, or name \
                it in the settings: {1}";
    }

    bad_date = BadDate {
        hold(ValueForm) not_date(accepted: &str; format) "not a date; it should be {accepted}"
            => "write it as 2026-11-20{?1}, or name its own format in shipsheet.toml, as in {1}{/1}";
    }

    ambiguous_date = AmbiguousDate {
        hold(AmbiguousDate) both_shown(month_first: &str, taken: Option<&str>, other: Option<&str>; day_first)
            "day or month first cannot be told from this column: other cells show both orders{?taken}; sent as it is, it means {taken}, but it may be {other}{/taken}"
            => "write it as 2026-11-20{?1}; or, if the day comes first, in shipsheet.toml: {1}; if the month does: \
                [\"{month_first}\"]{/1}";
        hold(AmbiguousDate)
            none_shown(month_first: &str, taken: Option<&str>, other: Option<&str>; day_first) like both_shown
            "day or month first cannot be told from this column: no other cell shows which{?taken}; sent as it is, it means {taken}, but it may be {other}{/taken}"
            => "write it as 2026-11-20{?1}; or, if the day comes first, in shipsheet.toml: {1}; if the month does: \
                [\"{month_first}\"]{/1}";
        hold(AmbiguousDate) among_texts(taken: &str, other: Option<&str>)
            "a date among texts such as 25/06/2026: the spreadsheet that made dates of the others may have swapped their day \
             and month; sent as it is, it means {taken}{?other}, but it may be {other}{/other}"
            => "compare it with its source and write all dates of the column as text, such as 2026-11-20";
    }

    odd_date = OddDate {
        hold(ImplausibleValue) long_ago() "more than five years ago" => "{accept} if it is right, or check day, month and year";
        hold(ImplausibleValue) in_future() like long_ago "in the future" => "{accept} if it is right, or check day, month and year";
    }

    phone_formula = PhoneFormula {
        hold(PhoneForm) sum() "a spreadsheet took this phone number for a sum and kept only the result"
            => "format the column as text and type the number again";
    }

    bad_phone = BadPhone {
        hold(PhoneForm)
            other_characters(accepted: &str) like wrong_length "has characters that no phone number has; it should be {accepted}"
            => "{accept} if it is right; otherwise ask for the number and type it as text";
        hold(PhoneForm)
            starts_wrong(accepted: &str) like wrong_length "does not start with 6, 7, 8 or 9; it should be {accepted}"
            => "{accept} if it is right; otherwise ask for the number and type it as text";
        hold(PhoneForm) wrong_length(digits: usize, accepted: &str) "has {digits} digits; it should be {accepted}"
            => "{accept} if it is right; otherwise ask for the number and type it as text";
        hold(PhoneForm)
            of_no_country(accepted: &str) like wrong_length "is not a phone number of any country; it should be {accepted}"
            => "{accept} if it is right; otherwise ask for the number and type it as text";
        hold(PhoneForm) not_of_country(digits: usize, country: &str, accepted: &str) like wrong_length
            "has {digits} digits and is not a phone number of {country}; it should be {accepted}"
            => "{accept} if it is right; otherwise ask for the number and type it as text";
        hold(PhoneForm) several(numbers: &[&str]) "has more than one phone number, and only one can be sent"
            => "keep the one that the courier should call: {numbers:or}";
        hold(PhoneForm)
            landline_or_wrong(number: &str) "a landline without its zero, or a mobile number with a wrong digit"
            => "if it is a landline, write it with its zero: 0{number}; if not, ask for the number";
        warn(PhoneDoubt)
            landline(number: &str) "a landline, where the courier's messages do not arrive; it is sent as {number}"
            => "write a mobile number, if there is one";
        warn(PhoneDoubt) mobile_beside_landline(number: &str)
            "a landline and a mobile number, and only one can be sent: the mobile number is sent, {number}"
            => "write the one that the courier should call, if it is another";
        warn(ValueRepaired) extension(extension: &str, number: &str)
            "a phone number has no place for its extension {extension}; it is sent as {number}"
            => "where the courier needs the extension, write it into the seller note or the address";
        warn(PhoneDoubt) of_nobody(country: &str, number: &str)
            "no phone number of {country} is known to begin so; it is sent as {number}"
            => "call it, or ask for the number, before the courier does";
    }
}
