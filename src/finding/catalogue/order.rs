//! What is said of orders, and of what rows say together: which rows are an order, where it goes, and whether it goes.

catalogue! {
    missing_order_number = MissingOrderNumber {
        hold(NoOrderNumber) unnamed_row() "this row is filled but names no order"
            => "write the order number, repeating it on every row of the order";
        warn(RowReadsOn) of_second_lines(header: &str; propose)
            "rows here have a product and no \"{header}\": they are held back, with the order above each"
            => "repeat the order number on each row{?1}; if such rows are lines of the order above, a profile says so for good: \
            {1}{/1}";
        hold(RowReadsOn)
            reads_on(above: &str) "this row names no order and reads on like a line of order {above} above it: is it one?"
            => "type this row's own order number again if the sheet has lost it; only if it is a line of the order above, \
            repeat \"{above}\" here; or delete the row";
    }
    no_value = NoValue {
        hold(OrderNumberForm) for_order_number(text: &str) "\"{text}\" stands where the order number should be"
            => "write the order number, repeating it on every row of the order";
        hold(PlaceholderValue) for_needed_value(text: &str, field: &str, accepted: Option<&str>)
            "\"{text}\" stands where the {field} should be{?accepted}; it should be {accepted}{/accepted}"
            => "write what is meant; a name that is spelled so is written Null or Nan";
        hold(PlaceholderValue) hardly_meant(text: &str, field: &str) "\"{text}\" can hardly be the {field}"
            => "{accept} if it is right; otherwise write what is meant";
        warn(ValueRepaired)
            taken_for_blank(field: &str) "taken for a blank {field}" => "empty the cell to silence this warning";
        warn(PaymentFromBlank) nothing_collected(header: &str)
            "a blank \"{header}\" is taken for PREPAID: nothing is collected of this order"
            => "write no there where it is paid, to silence this warning; yes or the amount where the courier is to \
            collect it";
    }
    missing_value = MissingValue {
        hold(MissingValue)
            blank(field: &str, accepted: Option<&str>) "the {field} is missing{?accepted}; it should be {accepted}{/accepted}" => "fill in the cell";
        hold(MissingValue) blank_postal_code(field: &str, country: &str, form: &str)
            "the {field} is missing; it should be {form} for {country}" => "fill in the cell";
        hold(MissingValue) payment_of_all_blank(header: &str, field: &str)
            "\"{header}\" is blank for every order, and no other column says how orders are paid"
            => "write yes or the amount into \"{header}\" where the courier collects it, and no where it is paid; or add a \
            column \"{field}\" with COD or PREPAID for each order";
        hold(MissingValue) payment_blank(header: &str, field: &str)
            "\"{header}\" is blank here, while other orders that are paid have a no or a zero there"
            => "write yes or the amount into \"{header}\" where the courier collects it, and no where it is paid; or add a \
            column \"{field}\" with COD or PREPAID for each order";
    }
    missing_product = MissingProduct {
        hold(MissingValue) unnamed() "this row of the order names no product"
            => "fill in product, price and quantity, or delete the row";
        hold(MissingValue)
            summary_alone() "this row holds what the order comes to as a whole, and none of its products: their rows are \
            not in this sheet"
            => "export the orders again with all their rows, or add the rows of the products below this one";
    }
    order_clash = OrderClash {
        hold(RowsDisagree) two_values(field: &str, first: &str, there: &Place, text: &str, here: &Place)
            "this order has two values for {field}: \"{first}\" in {there} and \"{text}\" in {here}"
            => "{accept} to send the first; otherwise write the same on every row of the order; two orders need two numbers";
        hold(RowsDisagree) two_discounts(field: &str, first: &str, there: &Place, text: &str, here: &Place)
            "this order has two values for {field}: \"{first}\" in {there} and \"{text}\" in {here}"
            => "{accept} to send the first; where each row has a discount of its own, give the column the header \"Item \
            Discount\", and all of them are taken off";
        hold(RowsDisagree) two_charges(field: &str, first: &str, there: &Place, text: &str, here: &Place)
            "this order has two values for {field}: \"{first}\" in {there} and \"{text}\" in {here}"
            => "{accept} to send the first; where each row has a part of it, the first row needs their sum";
        hold(RowsDisagree) two_address_parts(first: &str, there: &Place, text: &str)
            "this order has two values for a part of its address: \"{first}\" in {there} and \"{text}\" here"
            => "{accept} to send the first; otherwise write the same on every row of the order";
    }
    too_many_lines = TooManyLines {
        hold(TooManyLines) lines(count: usize, most: usize) "{count} lines in one order; at most {most} are accepted"
            => "{accept} to send all of them; otherwise give each order a number of its own";
    }
    text_mark = TextMark {
        warn(ValueRepaired) taken_off(value: &str) "a spreadsheet's writing; taken as {value}"
            => "format the column as text to silence this warning";
        warn(ValueRepaired) of_unit(figure: Decimal, unit: &str, sent: Decimal, sent_unit: &str)
            "the mark is taken for a unit: {figure} {unit}, sent as {sent} {sent_unit}"
            => "write {figure} {unit} in its place to silence this warning";
    }
    numbers_alike = NumbersAlike {
        warn(SameShipment) in_sheets(number: &str, there: &Place)
            "the order number \"{number}\" is that of the order in {there}, spelled in another way; they are taken as two \
            orders"
            => "write one number one way, if one order is meant";
        hold(SameOrder) sent_before(number: &str, other: &str, standing: Finding)
            "the order number \"{number}\" is that of order {other}, {standing}, spelled in another way"
            => "if it is the same order, delete it here; if they are two, {accept} or give it another number";
    }
    same_shipment = SameShipment {
        hold(SameOrder) respelled(there: &Place)
            "the number of the order in {there}, spelled in another way, and the same products to the same person"
            => "delete it if it was entered twice; if the customer ordered twice, give it a number of its own";
        hold(OrderKnown) respelled_before(other: &str, standing: Finding)
            "the number of order {other}, {standing}, spelled in another way, and the same products to the same person"
            => "delete it if it was entered twice; if the customer ordered twice, give it a number of its own";
        hold(SameOrder) again_in_doubt(other: &str)
            "the same products to the same person as order {other}, which is in doubt: this may be the same parcel"
            => "settle order {other} first; if the customer ordered twice, {accept}";
        hold(SameOrder) again_after_doubt(other: &str, standing: Finding)
            "the same products to the same person as order {other}, which was in doubt and is {standing}: this may be the \
            same parcel"
            => "leave it out if it is; if the customer ordered twice, {accept}";
        hold(SameOrder) same_person_as_doubt(other: &str)
            "for the same person as order {other}, which is in doubt: this may be the same parcel"
            => "settle order {other} first; if the customer ordered twice, {accept}";
        hold(SameOrder) spoiled(other: &str, standing: Finding)
            "the number of order {other}, {standing}, as a spreadsheet may have changed it, for the same person"
            => "give it the number {other} again; if another parcel is meant, {accept}";
        hold(SameOrder) within(other: &str, standing: Finding)
            "the number of order {other}, {standing}, with something added or removed, and the same products to the \
            same person"
            => "give it the number {other} again; if another parcel is meant, {accept}";
        hold(SameOrder) again_unsent(other: &str, standing: Finding)
            "the same products to the same person as order {other}, {standing}: this may be the same parcel"
            => "give it the number {other} again; if the customer ordered twice, {accept}";
        hold(SameOrder) second_number(other: &str, standing: Finding)
            "this row stands for order {other}, {standing}: under a second number its parcel may be booked twice"
            => "give it the number {other} again; if another parcel is meant, {accept}";
        warn(SameShipment) again(there: &Place)
            "the same products to the same person as the order in {there}, under another number; they are two orders"
            => "if one was entered twice, delete it; if the customer ordered twice, leave both";
        warn(SameShipment) again_after(other: &str, standing: Finding)
            "the same products to the same person as order {other}, {standing}; they are two orders"
            => "if it was entered twice, delete it; if the customer ordered twice, leave it";
        part booked(address: Option<&str>, awb: &str) "booked{?address} at {address}{/address} (AWB {awb})";
        part cancelled(awb: &str) "booked (AWB {awb}) and cancelled";
        part given_up(address: Option<&str>) "given up{?address} at {address}{/address} after it was sent";
        part failed(address: Option<&str>) "not booked by the courier so far{?address} at {address}{/address}";
        part outstanding(address: Option<&str>) "outstanding{?address} at {address}{/address}";
        part in_doubt(address: Option<&str>) "in doubt{?address} at {address}{/address}";
    }
    split_order = SplitOrder {
        warn(SplitOrder)
            over_sheets(places: Vec<String>) "this order has rows in several sheets, from {places:and}; they are one \
            shipment"
            => "if two orders are meant, give one of them another number";
    }
    same_line = SameLine {
        hold(SameLine)
            pasted(there: &Place) "this row of the order says the same as that in {there}: was it pasted twice?"
            => "if so, delete one of them; if both are meant, {accept}";
        warn(SameLine)
            twice(there: &Place) "this row of the order says the same as that in {there}; both lines are sent"
            => "if the row was pasted twice, delete one";
    }
    rows_twice = RowsTwice {
        hold(OrderInTwoSheets) in_two_sheets(there: &Place)
            "this order stands in two sheets with the same lines, here and at {there}: they would be sent doubled"
            => "give only one of the two sheets, or remove the order from one of them";
    }
    row_skipped = RowSkipped {
        warn(SummaryRow) no_order_row(why: &str) "this row is not an order ({why}); it is ignored";
        warn(SummaryRow) sums() "this row is not an order (the sums of the columns above); it is ignored";
    }
    row_left_out = RowLeftOut {
        warn(LeftOut) example() "the example of the starter sheet; it is not sent"
            => "write your own orders over it; an order of your own needs another number";
        warn(LeftOut) by_rule(because: &str) "{because}; the row is not sent";
        warn(SummaryRow) totals() "a row of totals; it is ignored";
        warn(LeftOut) product_by_rule(because: &str) "{because}; the product of this row is not sent";
        warn(PiecesLeftOut) pieces(sent: Decimal, all: Decimal) "{sent} of {all} pieces are sent; the rest is not"
            => "see that the others are shipped already";
        warn(LeftOut) taken_back(rows: &str)
            "an earlier sheet's request of this order waits to be sent ({rows}): it is taken back"
            => "see that this sheet is right: nothing sends the order until a sheet brings it with new values, or a person lets it go";
        warn(LeftOut) too_late() "this order was sent before, and may be booked"
            => "settle the doubt first; if it is booked, cancel the shipment";
        warn(LeftOut) over(header: &str, ready: bool, yes: bool) [ready, yes]
            "\"{header}\" says that this order is done; it is not sent"
            => "{?ready}write \"ready\" there{/ready}{?yes}write yes there{/yes}{!ready}{!yes}empty the cell{/yes}{/ready}, \
            and empty what else says so, if it should be shipped all the same";
    }
    unread_remark = UnreadRemark {
        warn(UnreadRemarks) in_order(text: &str) "this remark could not be understood: \"{text}\""
            => "delete its rows if the order should not be shipped; import the sheet at a terminal or on the desk to say once what \
                it means";
        warn(UnreadRemarks) in_sheet(count: u32, named: Vec<String>, rest: Option<u32>)
            "{count:count remark} of orders that go could not be understood: {named:,}{?rest}, and {rest} more{/rest}"
            => "read them before you book; import the sheet at a terminal or on the desk to say once what they mean";
    }

    held_back = HeldBack {
        hold(HeldBack) by_clerk(who: Option<&str>) "put on hold{?who} by {who}{/who}" => "take it back in once it should be shipped";
        hold(HeldBack) left_out_by_clerk(who: Option<&str>) "left out{?who} by {who}{/who}" => "take it back in if it should be shipped";
        hold(HeldBack) in_sheet(file: &str) "{file}, which is open on the local page, holds this order or leaves it out"
            => "release it there, or discard that sheet; if it should be sent from here all the same, {accept}";
        hold(HeldBack) otherwise_in_sheet(file: &str) "this order stands otherwise in {file}, which is open on the local page"
            => "book it there, or discard that sheet; if it should be sent as it stands here, {accept}";
        hold(InCouriersList) in_list(list: &str) "the courier's list {list} has this order already"
            => "look at the list under Doubts on the local page; if another parcel is meant, {accept}";
        hold(OldSheet) taken_back_since(said: &str) "a newer sheet says that this order does not go: {said}"
            => "leave it out if this is an old sheet; if it should be sent all the same, {accept}";
        hold(OldSheet) changed_since(rows: &str) "{rows} brought this order with other values since"
            => "leave it out if this is an old sheet; if it should be sent as it stands here, {accept}";
        hold(OtherReceiver) other_receiver(rows: &str)
            "the order from {rows} has this number too, was not sent yet, and goes to somebody else: are they two orders?"
            => "if they are, give the numbers of this shop a prefix in its profile, for instance prefix = \"A-\", and let the first \
            one go again; if it is one order, corrected here, {accept}";
        hold(FewerProducts) fewer_products(rows: &str, was: usize, is: usize)
            "this order waits to be sent from {rows} with {was:count product}, and has {is} here"
            => "add the rows that are missing; if it should be sent with these alone, {accept}";
        hold(SourcesDiffer) sheets_differ(there: &str)
            "{there} says otherwise of this order, and both sheets came at once"
            => "correct the sheet that is wrong, or delete the order there; if it should be sent as it stands here, {accept}";
        hold(HeldBack) not_as_shown() "this order is no longer what was shown" => "check the sheet again, then book it";
        hold(ExampleRow)
            example_below() "this row is the example of the starter sheet, and would be sent as a product of this order"
            => "delete the row, and give your own order a number of its own";
        hold(MarkedCell)
            marked(field: &str, text: &str) "the {field} says \"{text}\": is this order still to be shipped?"
            => "delete its rows if it is not; if it is, {accept}";
        hold(MarkedCell)
            marked_product(field: &str, text: &str) "the {field} says \"{text}\": is this order still to be shipped?"
            => "delete the row of that product, or all rows of the order, if it is not; if it is, {accept}";
        hold(NotConfirmed) not_confirmed(header: &str; ignore)
            "\"{header}\" is blank here, while other orders have a yes there: does this one go?"
            => "write yes there if it does, delete its rows if it does not{?1}; to always ignore the column, {1}{/1}";
        hold(OrderState) over_in_part(header: &str, text: &str, ready: bool, yes: bool) [ready, yes]
            "\"{header}\" says \"{text}\" on a row of this order, and not on all: should its other products still be shipped?"
            => "delete the rows of the products that should not be shipped, and \
            {?ready}write \"ready\" there{/ready}{?yes}write yes there{/yes}{!ready}{!yes}empty the cell{/yes}{/ready} on \
            the rest; delete all its rows if none of them should be shipped";
        hold(ReturnParcel) comes_back(header: &str, text: &str)
            "{?header}\"{header}\"{/header}{!header}a cell under no header{/header} says \"{text}\": does this parcel come \
            back from the customer? All orders are booked as forward shipments, from your warehouse to the customer"
            => "delete its rows if a courier is to fetch it from the customer, and book that with the courier; write \
            \"Forward\" there if it goes to the customer{?2}; to always ignore the column, {2}{/2}";
        hold(OrderState) state_as_answered(header: &str, text: &str)
            "\"{header}\" says \"{text}\", which holds its order by your answer"
            => "change the cell once the order may go, or {accept}; to answer otherwise, change the answer in the profile";
        hold(CancelledNote) note_as_answered(header: &str, text: &str)
            "\"{header}\" says \"{text}\", which holds its order by your answer"
            => "empty the cell once the order may go, or {accept}; to answer otherwise, change the answer in the profile";
        hold(OrderState) in_question(header: &str, text: &str, ready: bool, yes: bool, word: bool) [ready, yes, word]
            "{?header}\"{header}\"{/header}{!header}a cell under no header{/header} says \"{text}\": is this order still to \
            be shipped?"
            => "delete its rows if it is not, \
            {?ready}write \"ready\" there{/ready}{?yes}write yes there{/yes}{!ready}{!yes}empty the cell{/yes}{/ready} if it \
            is{?word}{?2}; if orders with this word always go, in shipsheet.toml: {2}{/2}{/word}\
            {!word}{?2}; to always ignore the column, {2}{/2}{/word}";
        hold(AlreadyShipped) shipped_in_question(header: &str, text: &str)
            "{?header}\"{header}\"{/header}{!header}a cell under no header{/header} says \"{text}\": is this order still to \
            be shipped?"
            => "delete its rows if it is not, {accept} if it is{?2}; to always ignore the column, {2}{/2}";
        hold(AlreadyShipped) either_way(header: &str, text: &str; done, to_do)
            "\"{header}\" says \"{text}\", and nobody can tell whether the parcel is sent already or still to be sent"
            => "give the column the header {1} if it says what is sent, or {2} if it says what should be sent; {accept} to send \
            the order as it is";
        hold(CancelledNote) note_in_question(header: &str, text: &str)
            "{?header}\"{header}\"{/header}{!header}a cell under no header{/header} says \"{text}\": is this order still to \
            be shipped?"
            => "delete its rows if it is not, {accept} if it is{?2}; to always ignore the column, {2}{/2}";
        hold(PiecesCancelled) pieces_in_question(header: &str, text: &str, word: bool) [word]
            "{?header}\"{header}\"{/header}{!header}a cell under no header{/header} says \"{text}\": is this order still to \
            be shipped?"
            => "if the other pieces should be shipped, write their number as the quantity, and {accept}; delete the rows of a \
            product that should not be shipped at all\
            {?word}{?2}; if orders with this word always go, in shipsheet.toml: {2}{/2}{/word}\
            {!word}{?2}; to always ignore the column, {2}{/2}{/word}";
        hold(CustomerFetches)
            fetched(text: &str) "\"{text}\" stands where the address should be: is this order still to be shipped?"
            => "delete its rows if the customer fetches it; write the address there if it goes by courier";
        hold(ColumnsDiffer) more_address(header: &str; ignore)
            "\"{header}\" says more of the address than its lines, and nothing takes it"
            => "give the column the header \"Address Line 2\" if it is more of the same address; if not, ignore it \
            {1}{?2}; if the parcel goes there instead, ignore the other {2}{/2}";
        hold(ProfileHold)
            not_known_ready(column: &str, text: &str, words: Vec<String>, first: &str, blank: bool; setting) [blank]
            "the {column} {?text}is \"{text}\"{/text}{!text}is blank{/text}, and only orders with {words:quoted}\
            {?blank} or none{/blank} are known to be ready"
            => "if it should be shipped, write \"{first}\" there{?blank} or empty the cell{/blank}; if not, delete its rows\
            {?1}; if orders with this always go, in shipsheet.toml: {1}{/1}";
        hold(ProfileHold) by_rule(because: &str, beside: Option<Finding>, way: Finding) [way]
            "{because}{?beside} {beside}{/beside}" => "{way}";
        hold(LinesLost) lines_lost(found: usize, profile: &str, taken: usize)
            "{found} lines in this cell, of which the profile {profile} takes {taken}: the rest would be lost"
            => "write it in {taken} lines, or take the rest in the profile: part = \"lines-from-{taken}\" instead of \
            \"line-{taken}\"";
        part beside(column: &str, text: &str, header: &str, other: &str)
            "(\"{column}\" is {text}, \"{header}\" is {other})";
        part way_of_profile(hint: &str) [hint] "{hint}";
        part way_to_fill() "settle it, then fill in the cell; or delete its rows if it should not be shipped";
        part way_to_zero(column: &str) "settle it, then empty the cell \"{column}\" or write 0 there if the order should be shipped; \
            if not, delete its rows";
        part way_to_empty(column: &str) "settle it, then empty the cell \"{column}\" if the order should be shipped; if not, delete \
            its rows";
        part way_to_write(word: &str, column: &str) "settle it, then write {word} into \"{column}\" if the order should be shipped; \
            if not, delete its rows";
        part way_to_correct() "settle it, then correct the cell if the order should be shipped; if not, delete its rows";
    }
    booked_before = BookedBefore {
        warn(OrderKnown) still_wrong(awb: &str, wrong: &Finding)
            "this order is booked already (AWB {awb}) and is not sent again; in this sheet it is still wrong: {wrong}"
            => "there is nothing to do, unless this is another order: then give it a number of its own";
        warn(OrderKnown) held_since(awb: &str, wrong: &Finding; cancel)
            "this order is booked already (AWB {awb}) and is not sent again; in this sheet it is still wrong: {wrong}"
            => "`{1}` cancels the shipment, if it should not be shipped any more; if it should, there is nothing to do";
        warn(OrderKnown) cancelled_since(awb: &str; cancel)
            "this order is booked already (AWB {awb}), and this sheet says that it is cancelled: its shipment is not"
            => "`{1}` cancels the shipment, if it should not be shipped";
    }
    changed_after_booking = ChangedAfterBooking {
        warn(OrderKnown) notes(awb: &str, changes: Vec<Finding>)
            "this order is booked already (AWB {awb}); what is new in this sheet is not sent: {changes:and}"
            => "there is nothing to do, unless the courier has to know it: then tell the courier";
        hold(OrderKnown) order(awb: &str, changes: Vec<Finding>)
            "this order is booked already (AWB {awb}), and this sheet says of it {?changes}otherwise: {changes:and}\
            {/changes}{!changes}something else{/changes}; it is not sent again"
            => "restore the row as it was, or give the order a new number if a second shipment is really wanted";
        part value(name: &str, product: Option<usize>, was: Option<String>, is: Option<String>)
            "{name}{?product} of product {product}{/product}{?is} ({was} then, {is} now){/is}";
        part products(was: Option<String>, is: Option<String>)
            "the number of products{?is} ({was} then, {is} now){/is}";
        part more(count: usize) "{count} more";
    }
    bad_pin_code = BadPinCode {
        hold(PinDiffers) another_in_address(other: &str, header: &str, pin: &str)
            "the address names the PIN code {other}, and \"{header}\" is {pin}, by which the parcel would go"
            => "{accept} if {pin} is right; if {other} is, write it into \"{header}\"";
    }
    state_of_pin = BadPinCode {
        hold(PinDiffers) elsewhere(pin: &str, meant: &str, state: &str)
            "the PIN code {pin} is in {meant}, and the state is {state}: one of the two is wrong"
            => "{accept} to send both as they stand, or correct the PIN code or the state; the parcel goes by the PIN code";
        warn(PinDiffers) near(pin: &str, meant: &str, state: &str)
            "the PIN code {pin} is in {meant} by its first digits, and the state is {state}; both are sent"
            => "correct the PIN code or the state, if one is wrong; the parcel goes by the PIN code";
    }
    value_from_pin = FromPinCode {
        warn(StateFromPin) filled(field: &str, value: &str, pin: &str) [field]
            "the {field} is blank; {value} is sent, where the PIN code {pin} is"
            => "type the {field}, if it is another one";
    }
    bad_country = BadCountry {
        hold(CountryUnclear) unknown_name() "not a known country"
            => "write its English name or its two-letter ISO 3166 code, for instance India or IN; {accept} to send the name \
            without a code";
        warn(CountryUnclear)
            unknown_beside_code(code: &str) "not a known name for {code}; it is sent as it stands"
            => "write the country's English name";
    }
    country_clash = CountryClash {
        hold(CountryUnclear) name_and_code(name: &str, meant: &str, there: &Place, code: &str, here: &Place)
            "the country is \"{name}\" ({meant}) in {there} but its code is {code} in {here}"
            => "{accept} to send both as they stand, or correct one of the two cells";
    }
    unusual_value = UnusualValue {
        warn(AddressPartLeftOut)
            no_address_part(text: &str; ignore) "\"{text}\" does not look like a part of an address, so it is not sent"
            => "write it into the address itself if it should be on the label{?1}; to always ignore the column, {1}{/1}";
        warn(UnknownState) unknown_state() "not a known state of India; it is sent as it stands"
            => "write the state's name or its code, for instance Karnataka or KA";
    }
}
