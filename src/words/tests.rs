//! What people write, and what is meant.

use super::*;

fn remark(text: &str) -> Remark<'static> {
    Remark::new(Vocabulary::built_in(), text)
}

fn about(header: &str) -> About {
    let header = Headers::built_in().header(header);
    let said = header.said();
    About::of(|sense| said.iter().any(|own| own.sense == sense && own.spare.is_empty()))
}

fn stops(text: &str, header: &str) -> bool {
    remark(text).stops(about(header))
}

#[test]
fn notes_that_stop_an_order() {
    const STOP: &str = "CANCELLED|cancel order|do not ship|Don't send|DO NOT DISPATCH|HOLD - customer out of \
        town|Hold|On hold|refunded|Returned|RTO|already sent|Already shipped by Ravi|Cancelled by \
        customer|Customer cancelled|Order cancelled|order has been cancelled|Please cancel this order|Hold till \
        Monday|hold order|do not ship till payment|Refunded 20/11|not to be shipped|Duplicate order|Out of \
        stock|customer wants to cancel|RTO received|keep on hold|do not send before 25 Nov|Shipped|CANCELLED - \
        refund done|please do not dispatch|dont ship now|test order|Cancel|stop shipment|fake order|cust said \
        cancel|CXL|cancel pls|dont pack|Not interested|dup|shipped on 20|refund issued|skip|Hold for payment|not \
        confirmed|Dispatched via Delhivery|shipped on 18/11|sent by DTDC 18/11|delivered 19/11|parcel sent|refund \
        done|Refund initiated|Refund given|money returned|customer refused|customer denied|OOS|stock not \
        available|not required|no need|duplicate entry|test|cancel kar do|self pickup|collected by hand|do not \
        ship - address issue|CANCELLED (refund done?)|Customer cancelled when called|Cancelled - otherwise \
        RTO|Client cancelled|buyer cancelled order|Got cancelled|Ord cancel by cust|Keep hold|wait for \
        payment|ship only after payment|Delivered?|cancelled, dont resend|Order cancelled (?)|not required \
        now|Hold?|sent yesterday|Delivered to neighbour|Shipped 2 days back|pls hold for 2 days|Hold 2 \
        days|Booked already|handed over to DTDC|given to Delhivery|AWB 149081234567|Booked in Delhivery|pickup \
        scheduled|Manifested|customer will pick up|will collect from store|sent from Delhi|sent with DTDC|Booked \
        by Ravi|Booked on portal|Booked by customer on Delhivery";
    let wrong: Vec<&str> = STOP.split('|').filter(|text| !stops(text, "Remarks")).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    const GO: &str = "please hold the door|do not fold|call before delivery|Leave at the gate|Gift - do not send \
        bill|do not ship with invoice|hold at counter|Handle with care|ship fast|Do not deliver on \
        Sunday|fragile|Replacement for a returned item|Return gift|Holding hands print|If not home cancel \
        order|cancel anytime|Hold my beer mug|send soon|shipped in box|Happy birthday, hold on to this|deliver \
        after 6 pm|Door on hold road|COD|Regular|not fragile|no returns accepted|Stock 5|shipping paid|Order for \
        Cancelled Stamps Museum|hold shipment at FedEx office|Return address inside|do not send plastic bag|sent \
        by my sister|cancelled cheque enclosed|hold for pickup at gate|not cancelled|do not cancel|New \
        customer|refused gift wrap earlier, wants it now|cancelled earlier, now confirmed|Cancelled earlier order \
        1002|RTO resend|RTO reship|Returned - reship to new address|Refunded 50 for delay|Already booked slot \
        5pm|Hold: call before delivery|sent card along|Sent with love|test the zip before packing|no need to \
        call|not required bill|Hand wash only|wait at gate|Delivered last time late|self adhesive|customer wants \
        it gift wrapped|Cancel if not reachable|sent on whatsapp|sent from my sister|Booked slot 5 pm|customer \
        will collect the old one|Tracking to be shared on WhatsApp|Booked by sister|Order booked by mother|booked \
        on phone|Booked by her husband|booked through insta";
    let wrong: Vec<&str> = GO.split('|').filter(|text| stops(text, "Remarks")).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(!stops("Sent", "Invoice Mail") && stops("Sent", "Remark") && !stops("Delivered", "Last order"));
    assert!(stops("Self pickup", "Delivery Type") && !stops("Store pickup", "Pickup Type"));
    for header in ["Size", "Fabric", "Print Name", "Campaign", "Agent", "Flavour"] {
        assert!(!stops("Test", header) && !stops("Hold", header), "{header}");
    }
}

#[test]
fn words_of_shipments_that_come_back() {
    let wrong: Vec<&str> = "Reverse|RVP|Return|Return pickup|Exchange|Exchange pickup|reverse shipment|Customer Return|Pickup from customer|RTO"
        .split('|').filter(|text| !says_backwards(text)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let wrong: Vec<&str> = "Forward|Return gift|Non-returnable|No return|B2C|Surface|Pickup|External|COD|Forward (no exchange)|Replacement"
        .split('|').filter(|text| says_backwards(text)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn cells_that_say_nothing_but_that_a_parcel_comes_back() {
    const BACK: &str = "Return|RETURN|Exchange|exchange order|Reverse Pickup|RVP|Reverse|Replacement \
        pickup|Replacement (pickup)|Credit Note|Cr. Note|Sales Return|Return/Exchange|Return request|Return + \
        replacement|Exchange pickup|Return pickup from customer|RTO|Reverse shipment|Returns|Return & Replacement";
    let wrong: Vec<&str> = BACK.split('|').filter(|text| !(remark(text).is_return() && says_backwards(text))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    const GO: &str = "Replacement|Replacement order|Exchange mela|Exchange offer|Return gift|Non-returnable|No \
        return|Forward|Sale|Sales order|Tax invoice|Note|Returning customer|Exchange Road|Reversible \
        jacket|Pickup|Regular|New|Reposition|Exchange Bonus|Replacement for a returned item|Currency exchange \
        counter";
    let wrong: Vec<&str> = GO.split('|').filter(|text| remark(text).is_return()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(!says_backwards("Exchange mela") && says_backwards("Reverse - B2C") && !says_backwards("Replacement"));
    assert!(about("Customer Type").goods && about("Source").goods && !about("Voucher Type").goods);
}

#[test]
fn parcels_that_customers_fetch() {
    const FETCHED: &str = "Local pickup|Store Pickup|Self pickup|In-store pickup|Pick up in store|self collect|By \
        hand|Takeaway|Customer will collect|Hand delivery|Click and collect|collected by \
        customer|Self-Collection|Will be picked up by customer";
    let wrong: Vec<&str> = FETCHED.split('|').filter(|text| !says_fetched(text)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    const SENT: &str = "Pickup|Local delivery|Self Pickup Point, MG Road|Standard|Handloom House|Store|Collector \
        Office|customer will collect the old one|pick|Hand bag|Shop 4, Hand Mill Road|Doorstep pickup|Take care";
    let wrong: Vec<&str> = SENT.split('|').filter(|text| says_fetched(text)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn marks_beside_names_and_products() {
    let wrong: Vec<&str> =
        ["A1 (cancelled)", "Asha Rao - HOLD", "CANCEL Vikram Shah", "Meera Nair (sent)", "12 MG Road *RTO*"]
            .into_iter()
            .filter(|text| !is_marked(text))
            .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    for text in
        ["Asha Rao", "Hold", "B-204 Sai Towers", "Canceria House", "Plot 7 (old no 3)", "Ship-yard Road", "SO-1"]
    {
        assert!(!is_marked(text), "{text}");
    }
    assert!(is_marked_product("Kurta (CANCELLED)") && is_marked_product("Mug - out of stock"));
    assert!(
        !is_marked_product("Hair gel - Hold") && !is_marked_product("Cancel tool") && !is_marked_product("Key-ring")
    );
}

#[test]
fn remarks_in_short_forms_with_slips_and_in_hindi_stop_an_order() {
    const STOP: &str = "CXL by customer|CNL by cust|Not serviceable|please exclude|Customer takeaway|hold pls|credit hold|sold \
        out|stock short|mat bhejna|रद्द|cancled by cust|cancelld|address galat hai|double order by mistake|Order cancelled as \
        customer found it cheaper elsewhere and will not be at home until the 25th in any case|Customer called at 5 pm and said \
        order is cancelled, refund him|cust ne cancel kar diya|ye order mat bhejna|Do not dispatch, stock over|duplicte order|\
        रोक दो|order hold karo|HOLD!!|pls cancel|not deliverable at this pincode|nahi chahiye|wrong address, confirm with \
        customer|Already dispatchd|oos";
    let wrong: Vec<&str> = STOP.split('|').map(str::trim).filter(|text| !stops(text, "Remarks")).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    const GO: &str = "cancel mat karna|cheque cancelled|ok to ship, was on hold|call before delivery|leave with guard|gift wrap|ring \
        the bell twice|deliver after 6 pm|fragile - handle with care|near hold-all shop|2nd order of this customer|diwali gift \
        for mother|send invoice on mail|customer will pay by upi|pack in small box|add 1 free sample|birthday on 25th, send \
        fast|old customer|new address, same phone|urgent delivery|ask for Ravi at gate|do not bend|do not call after 9|keep \
        dry|not to be folded|return policy explained|size exchange allowed|advance 200 received|COD 500|paid by gpay|hold \
        the bag by its handle|bhej do jaldi|cancelled order 1002 was another one|test report enclosed|booked for sunday slot|\
        stop by the gate|skip the invoice|no cash on delivery|delivery by hand only to Mr Shah|shipped free of charge";
    let wrong: Vec<&str> = GO.split('|').map(str::trim).filter(|text| stops(text, "Remarks")).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn remarks_of_an_indian_packing_table() {
    const STOP: &str = "pymt nahi aaya|bought twice by accident, pls cancel one|came back from last address, new addr awaited|1 pc \
        broken while packing|colour change, customer will confirm|Moved! new address coming by email, wait for it|pls \
        cancel my order, ordered by mistake|puzzle khatam, monday ko aayega|please wait to ship until after \
        Thanksgiving, we're away|house no is wrong, will mail correct one|mat out of stock|picked up at booth|waiting \
        on customer to pick size|भुगतान नहीं हुआ|customer called twice, very angry about delay, finally said to \
        cancel|paise nahi aaye abhi tak|abhi mat bhejo|maal khatam hai|isko rok do|cancel if not dispatched by \
        Friday|ordered twice, send only one|collected by hand on 14th|number not reachable, confirm before \
        dispatch|suspected fraud|wait for customer confirmation|keep aside|on hld till monday|pin not serviceable|dbl \
        entry, ignore this|given by hand|cancel krdo please|mat bhejo|रद्द करो|रोक दो|पता गलत है|stock nahi hai|galat \
        address|customer khud aayega|khud le jayega|खुद ले जाएगा|मत भेजना|स्टॉक नहीं है|पैसे नहीं आए|address adhura \
        hai|parcel wapas aa gaya|dukan se le jayega|order nahi chahiye|nahi lena hai|dispatch mat karna|hold krdo|ऑर्डर \
        कैंसिल कर दो|do baar order ho gaya|galti se do order|phone band hai|call nahi uthata|baad me bhejna|isse mat \
        bhejiye|ye order cancel karna hai";
    let wrong: Vec<&str> = STOP.split('|').filter(|text| !stops(text, "Remarks")).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    const GO: &str = "cancel request withdrawn|Cancel the gift note, just the parcel please|cancel mat karna|cheque cancelled|ok to \
        ship, was on hold|payment aa gaya bhej do|jaldi bhejna|call karke aana|gate par de dena|दरवाजे पर छोड़ \
        देना|call karke bhejo|address sahi hai|naya address|purana customer|ghanti bajana|pehle call karna|diwali gift \
        hai, pack achha karna|paise mil gaye|guard ko de dena|customer khush hai|call if not reachable|if phone not \
        reachable call 98|return gift|house no 12|size confirmed|address confirmed on call|number sahi hai|fragile \
        glass item|broken rice pack|keep bottle aside of food|waiting at gate|customer will be at home|leave in side \
        room|mat print par naam likhna|yoga mat red colour|kharab mat karna|cancel nahi karna|new address, same \
        phone|phone number updated|wait for the bell|pickup point near shop|send only one invoice|nahi bhejna bill";
    let wrong: Vec<&str> = GO.split('|').filter(|text| stops(text, "Remarks")).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_file_of_words_can_be_read() {
    for (number, (topic, name, _)) in BUILT_IN.iter().enumerate() {
        assert_eq!(*topic as usize, number, "{name}");
    }
    let files = BUILT_IN.map(|(_, name, text)| (name, text));
    assert!(Vocabulary::parse(&files).is_ok_and(|words| words.topics.len() == BUILT_IN.len()));
    let wrong = Vocabulary::parse(&[("x", "[[phrase]]\nsense = \"a\"\nsay = [\"@none\"]")]).unwrap_err();
    assert_eq!(wrong.to_string(), "the words of x have no class @none, which \"@none\" names");
    assert!(
        Vocabulary::parse(&[("x", "phrases = 1")])
            .unwrap_err()
            .to_string()
            .starts_with("the words of x cannot be read: ")
    );
}

#[test]
fn a_hit_says_where_it_stands() {
    let said = Vocabulary::built_in().text("Asha called: order cancelled today").read(Topic::Remarks);
    assert_eq!(said.hits, [Hit { sense: "cancelled", span: (19, 28) }]);
}

#[test]
fn own_words_stop_pass_and_are_removed() {
    let list = |text: &str| text.split('|').map(str::to_owned).collect();
    let own = OwnWords {
        hold: list("godown band|Sharma ji"),
        harmless: list("hold the bag|mat-print|take away"),
        remove: list("oos"),
    };
    let words = own.vocabulary().unwrap().unwrap();
    let own_stops = |text| Remark::new(&words, text).stops(about("Remarks"));
    assert!(own_stops("godown band hai") && own_stops("ask SHARMA JI first") && own_stops("cancelled, mat print"));
    assert!(!own_stops("hold the bag") && !own_stops("OOS") && !own_stops("take away"));
    assert!(own_stops("hold") && stops("OOS", "Remarks") && stops("take away", "Remarks"));
    let is_unread = |text| Remark::new(&words, text).is_unread();
    assert!(
        !is_unread("mat print") && is_unread("blue thread please") && !is_unread("hold") && !is_unread("godown band")
    );
    let own = |hold: &str| OwnWords { hold: vec![hold.to_owned()], ..OwnWords::default() };
    assert_eq!((own("?!").wordless(), own("wait").wordless()), (Some("?!"), None));
    assert_eq!(own("a").with(&own("b")).hold, ["a", "b"]);
    assert!(OwnWords::default().vocabulary().unwrap().is_none());
}

#[test]
fn remarks_that_change_nothing_are_read() {
    const READ: &str = "call before delivery|Leave at the gate|gift wrap|Fragile - handle with care|deliver after 6 pm|urgent|ring the bell \
        twice|COD confirmed on call|cancelled|leave with guard|jaldi bhejna|call karke aana|do not bend|ok|please send fast|happy \
        birthday|Gift";
    let wrong: Vec<&str> = READ.split('|').filter(|text| remark(text).is_unread()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    const UNREAD: &str =
        "blue thread please|ask Ravi which one|not the one from the picture|stitch the border|kal subah wala|size?";
    let wrong: Vec<&str> = UNREAD.split('|').filter(|text| !remark(text).is_unread()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(!remark("12").is_unread() && !remark("").is_unread());
}
