//! Currencies by their ISO 4217 codes.

use std::sync::LazyLock;

use super::fault::Fault;
use crate::field::money_sign;
use crate::finding::cell;
use crate::text::Text;

/// The codes of money that is in use; funds, metals and test codes are none.
static CODES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD \
    CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL \
    HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA \
    MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB \
    RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU \
    UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG"
        .split(' ')
        .collect()
});

/// A currency's code in capitals.
pub(super) fn currency(text: &str) -> Result<Text, Fault> {
    let code = text.to_ascii_uppercase();
    if CODES.binary_search(&code.as_str()).is_ok() {
        Ok(code.into())
    } else {
        Err(cell::bad_currency::unknown(nearest(text, &code)).into())
    }
}

/// The code that is most likely meant: by a sign such as `Rs`, or one slip away, the commonest first.
fn nearest(text: &str, code: &str) -> Option<&'static str> {
    const COMMON: [&str; 5] = ["INR", "USD", "EUR", "GBP", "AED"];
    let is_slip = |own: &&str| (3..=4).contains(&code.len()) && strsim::osa_distance(code, own) == 1;
    let by_sign = money_sign(text).and_then(|codes| codes.first().copied());
    by_sign.or_else(|| COMMON.into_iter().chain(CODES.iter().copied()).find(is_slip))
}
