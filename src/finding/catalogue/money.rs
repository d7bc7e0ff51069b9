//! What is said of orders' money: totals, charges, discounts, taxes and payments.

catalogue! {
    currency_clash = CurrencyClash {
        hold(CurrencyDiffers) in_order(first: &str, there: &Place, other: &str, here: &Place)
            "one order has one currency, but this one has {first} in {there} and {other} in {here}"
            => "make an order of each currency, or accept this to send each product in its own";
    }
    subtotal_differs = SubtotalDiffers {
        hold(SubtotalDiffers) collected(given: Decimal, computed: Decimal)
            "the subtotal says {given}, but price × quantity over the lines is {computed}"
            => "it is what would be collected: correct it or the prices";
        warn(SubtotalDiffers) sent(given: Decimal, computed: Decimal)
            "the subtotal says {given}, but price × quantity over the lines is {computed}"
            => "the given one is sent";
    }
    not_positive = NotPositive {
        hold(NothingToCollect)
            nothing_to_collect() "a COD order that comes to 0: nothing would be collected at the door"
            => "correct the prices, the discount or the payment";
    }
    unusual_value = UnusualValue {
        warn(WorthNothing) worth_nothing() "all prices of this order are 0: the shipment is declared as worth nothing"
            => "write what the products are worth; a gift or a sample has a value too";
    }
    bad_number = BadNumber {
        hold(DiscountAboveTotal)
            discount_above_total(discount: Decimal) "the discount {discount} is more than the order comes to"
            => "correct the discount or the prices";
    }
    bad_unit = BadUnit {
        hold(DiscountUnclear) percent_unread() "a discount in percent that cannot be read"
            => "write the figure alone, such as 10, or empty the cell";
        hold(DiscountUnclear) percent_unclear(rate: Decimal, total: Decimal, less: Decimal, way: Finding; ignore) [way]
            "a discount of {rate} %, and nothing says whether the prices have it taken off already: the order comes to \
            {total} if they have, and to {less} if not"
            => "empty the cell if the prices have it taken off; if not, {way}; a column \"COD Amount\" with what is to be \
            collected tells it for all orders; if the prices always have it taken off, pass the column over {1}";
        part write_off(off: Decimal) "write {off} here";
        part write_off_for(off: Decimal, header: &str) "write {off} here and empty \"{header}\"";
        part write_off_into(off: Decimal, field: &str) "empty it and write {off} into a column \"{field}\"";
    }
    missing_product = MissingProduct {
        hold(AmountAsProduct) amount_as_product(row: Finding, meaning: Finding, way: Finding) [way]
            "{row} is no product but {meaning}: as a product it would be added to the order" => "{way}";
        hold(AmountAsProduct) amounts_as_products(rows: Vec<Finding>, way: Finding) [way]
            "{rows:and} are no products but amounts of the order: as products they would be added to it" => "{way}";
        part row_of_amount(name: &str, amount: Option<Decimal>) "\"{name}\"{?amount} ({amount}){/amount}";
        part total() "what the order comes to";
        part due() "what is still to be paid";
        part paid() "what is paid already";
        part off() "what is taken off";
        part shipping() "what is paid for shipping";
        part charge() "a charge";
        part tax() "a tax";
        part rounding() "what is rounded off";
        part no_other_line() "this order has no other line: write the product's full name, or add the row of its product \
            and delete this one";
        part instead(odd: Option<Finding>, total: Decimal, steps: Vec<Finding>, with_tax: Option<Decimal>, charges: &str)
            "{?odd}first see why {odd} is not the {total} that the order would come to without such rows; then {/odd}\
            {steps:,}{?with_tax}; only if the tax comes on top of the prices, write {with_tax} into a column \
            \"{charges}\"{/with_tax}; if it is a product all the same, write its full name";
        part delete_row() "delete this row";
        part delete_rows(names: Vec<String>) "delete the order's rows of {names:quoted and}";
        part sent_as_product() "it is sent as a product";
        part empty_cells(names: Vec<String>) "empty the cells of {names:quoted and} and of its amount";
        part write_on_another(amounts: Vec<Finding>) "write {amounts:and} on another row of the order";
        part amount_into(amount: Decimal, column: &str) "{amount} into a column \"{column}\"";
        part each_into(shipping: &str, charges: &str, discount: &str)
            "each amount into the column of its kind (\"{shipping}\", \"{charges}\", \"{discount}\")";
    }
    total_differs = TotalDiffers {
        hold(TotalUnreadable)
            unreadable() "an amount that cannot be read, so that nobody can tell what is to be collected"
            => "write digits, with a point before the decimals, or empty the cell";
        warn(AmountComputed) tax_on_top(tax: Decimal, field: &str)
            "the tax of {tax} comes on top, by the total of the sheet: it is sent as other charges"
            => "a column \"{field}\" says it without this notice";
        hold(AmountBeside) received(amount: Decimal, total: Decimal)
            "an amount of {amount} that no field carries; {total} would be collected, and no column says what is still due"
            => "write what is still to be collected into a column \"COD Amount\"{?1}; if it means something else, pass the \
            column over {1}{/1}";
        hold(AmountBeside) unconfirmed(amount: Decimal, total: Decimal, way: Finding) [way]
            "an amount of {amount} that no field carries; {total} would be collected, and no total of the sheet confirms it"
            => "{way}{?1}; if it means something else, pass the column over {1}{/1}";
        warn(AmountBeside) beside(amount: Decimal, total: Decimal, way: Finding)
            "an amount of {amount} that no field carries; the order is sent as worth {total}"
            => "{way}{?1}; if it means something else, pass the column over {1}{/1}";
        part way_of_tax() "if the prices have it in already, say yes in a column \"Taxes Included\"; if it comes on top, write \
            what is to be collected into a column \"COD Amount\"";
        part write_due() "write what is still to be collected into a column \"COD Amount\"";
        part write_collected() "write what is to be collected into a column \"COD Amount\"";
        part work_in() "work it into price, discount or other charges and empty the cell, or write what is to be collected \
            into a column \"COD Amount\"";
        part if_taken_off(header: &str) "if it is taken off what the products come to, give the column the header \
            \"{header}\"; or write what is to be collected into a column \"COD Amount\"";
        part if_on_top(header: &str) "if customers pay it on top, give the column the header \"{header}\"; or write what is to \
            be collected into a column \"COD Amount\"";
        warn(AmountComputed) settled(amounts: Vec<Finding>, total: Decimal) [amounts]
            "by this total of {total} the order goes with {amounts:and}"
            => "nothing is to be done if that is right; a column with the amount of the whole order says it without this notice";
        warn(AmountComputed) discount_once(header: &str, amount: Decimal, total: Decimal, field: &str)
            "{header} of {amount} stands on each row of this order and counts once: {total} is collected"
            => "if each row has its own, give the column the header \"Item Discount\"; if the order has one, the header \
            \"{field}\" says so without this notice";
        warn(AmountComputed) charge_once(header: &str, amount: Decimal, total: Decimal, field: &str)
            "{header} of {amount} stands on each row of this order and counts once: {total} is collected"
            => "if each row has its own, write their sum on the first row and empty the others; if the order has one, the \
            header \"{field}\" says so without this notice";
        hold(AmountBeside)
            may_be_money(headers: &[String], amount: Decimal, total: Decimal, charges: &str, discount: &str; ignore)
            "{headers:quoted and} may be money, {amount} here; nothing says whether it changes what is collected, and \
            {total} would be"
            => "if it is no money of the customer, pass it over {1}; if it comes on top, give the column the header \
            \"{charges}\"; if it is taken off, \"{discount}\"; or write what is to be collected into a column \"COD Amount\"";
        hold(TotalDiffers)
            other_total(given: Decimal, of: Finding, total: Decimal, sums: Finding, way: Finding, of_products: bool) [way]
            "the sheet says that {given} {of}, but what would be sent comes to {total} ({sums})"
            => "{way}{?1}{?of_products}, or pass it over {1}{/of_products}\
            {!of_products}; if it means something else, pass the column over {1}{/of_products}{/1}";
        part is_of_products(header: &str, parts: Vec<Finding>, headers: Vec<String>, total: Decimal)
            "\"{header}\" is what the products come to: if the prices have the {parts:and the} in them already, empty \
            {headers:quoted and}; if not, write {total} into a column \"COD Amount\"; if \"{header}\" is always that of the \
            products alone, give the column the header \"Line Total\"";
        part is_collected() "is to be collected";
        part is_its(header: &str) "is its \"{header}\"";
        part is_total() "is the order's total";
        part sums(products: Decimal, shipping: Option<Decimal>, charges: Option<Decimal>, discount: Option<Decimal>)
            "products {products}{?shipping} + shipping {shipping}{/shipping}{?charges} + other charges {charges}{/charges}\
            {?discount} − discount {discount}{/discount}";
        part discount_of(amount: Decimal) "discount of {amount}";
        part shipping_of(amount: Decimal) "shipping of {amount}";
        part charges_of(amount: Decimal) "other charges of {amount}";
        part paid_already() "if it is paid already, make its payment PREPAID; otherwise write what is to be collected";
        part is_of_column(header: &str, base: Option<&str>, field: &str) "the difference is what \"{header}\" says: if that comes \
            on top, send it along by a profile with \
            {?base}based_on = \"{base}\" and {/base}[columns] \"{field}\" = \"{header}\"";
        part is_tax(included: &str, charges: &str) "the difference is the tax, which the prices do not have in them: write \
            the prices with it and yes as \"{included}\", or the tax as \"{charges}\"";
        part is_discount(amount: Decimal) "the difference is the discount of {amount}: if the prices have it taken off \
            already, leave the discount empty";
        part is_shipping(amount: Decimal) "the difference is the shipping charges of {amount}: if the prices or the total \
            have them in already, leave them empty";
        part is_charges(amount: Decimal) "the difference is the other charges of {amount}: if the prices or the total have \
            them in already, leave them empty";
        part is_left_out(fee: Option<Decimal>, charges: &str)
            "products of this order are left out: make the total that of the rest{?fee} if they are sent and paid already; \
            if they are a fee that is still to be paid, write {fee} into a column \"{charges}\"{/fee}";
        part unknown() "correct prices, quantities, charges, discount or the total, so that they agree";
        part or_paid_in_part(cause: Finding, paid: Decimal, off: Decimal, discount: &str)
            "{cause}; if {paid} is paid already, write {off} into a column \"{discount}\" and leave this cell as it is";
        hold(PrepaidWithDue) wanted(header: &str, what: &str, payment: &str)
            "\"{header}\" says {what}, which is to be collected, but the order goes as {payment}: nothing would be collected"
            => "if it is still to be collected, make its payment COD; only if it is paid meanwhile, empty the cell{?1}; if \
            it means something else, pass the column over {1}{/1}";
        hold(TaxMissing) without_tax(total: Decimal, tax: Option<Decimal>, included: &str, charges: &str)
            "the prices have no tax in them; {total} would be collected, without the tax{?tax} of {tax}{/tax}"
            => "write the prices with their tax and yes as \"{included}\"; or the tax into a column \"{charges}\"; or confirm \
            what is to be collected in a column \"COD Amount\"";
        warn(AmountComputed) discounts_taken_off(discounts: Decimal, total: Decimal)
            "the products have discounts of {discounts} of their own, which are taken off: {total} is collected"
            => "if the prices have them taken off already, leave them empty; a column \"COD Amount\" confirms it";
        warn(DiscountUnclear) discounts_not_taken_off(discounts: Decimal, own: Decimal, total: Decimal, field: &str)
            "the products have discounts of {discounts} of their own; the order goes with its own discount of {own}, and {total} \
            is collected"
            => "if those of the products are to be taken off as well, write the sum as \"{field}\"; a column \"COD Amount\" \
            confirms what is collected";
        hold(DiscountUnclear) two_discounts(discounts: Decimal, own: Decimal, field: &str)
            "the products have discounts of {discounts} and the order one of {own}; nothing says whether the one is in the \
            other"
            => "write all that is taken off as \"{field}\" and leave those of the products empty; or confirm what is to be \
            collected in a column \"COD Amount\"";
        warn(AmountComputed) discount_in_price(discount: Decimal; ignore)
            "the discount of {discount} is what the list price has above the price, and the total agrees: it is in the price \
            already and not taken off again"
            => "nothing is to be done; to silence this warning, pass the column over {1}";
        hold(DiscountUnclear) discount_perhaps_in_price(discount: Decimal, less: Decimal; ignore)
            "the discount of {discount} is what the list price has above the price: it seems to be in the price already, but \
            it would be taken off, and {less} collected"
            => "if it is in the price, empty the cell, or pass the column over {1}; if it comes off the price, write {less} \
            into a column \"COD Amount\"";
        hold(DiscountUnclear) discount_off_list(discount: Decimal, total: Decimal)
            "the discount of {discount} is taken off the list prices once, though there are several pieces: {total} would be \
            collected"
            => "write what is to be collected into a column \"COD Amount\"; for all sheets, give the column the header \
            \"Order Discount\" if it is for the whole order, or \"Discount per Piece\" if it is for each piece";
    }
    partly_paid = PartlyPaid {
        hold(PartlyPaid) figure_in_payment(text: &str, total: Decimal, cod: bool, part: Finding) [cod, part]
            "\"{text}\" as the payment of an order that comes to {total}: nobody can tell what is to be collected"
            => "{?cod}write COD if all of it, {total}, is to be collected{/cod}{!cod}write PREPAID if all of it is paid{/cod}; \
            {part}";
        hold(PrepaidWithDue)
            less_paid(header: &str, paid: Option<Decimal>, open: Option<Decimal>, payment: &str, total: Decimal,
            part: Finding) [part]
            "\"{header}\" {?paid}says that {paid} is paid{/paid}{?open}says {open}{/open}, and the order, which is {payment}, \
            comes to {total}: nothing would be collected"
            => "if all of it is paid, empty the cell; {part}{?1}; if it means something else, pass the column over {1}{/1}";
        hold(PartlyPaid) part_paid(place: &Place, total: Decimal, way: Finding) [way]
            "{place} says that a part of this order is paid already, but it would be collected in full: {total}"
            => "{way}{?1}; if it means something else, pass the column over {1}{/1}";
        part total_first() "first make the order's total agree; then this says what to write for the rest to be collected";
        part add_to_discount(discount: &str) "a request has no field for a part payment: add what is paid to the order's \
            discount, in a column \"{discount}\", and empty this cell";
        part all_paid() "if all of it is paid, make its payment PREPAID and empty this cell; otherwise correct it";
        part no_field(part: Finding) "a request has no field for a part payment: {part}";
        part perhaps_discount(then: Finding, total: Decimal, part: Finding) "the order's discount is as much: if it is this \
            part payment, {then}, and {total} is collected; if it is another one, {part}";
        part part_due(due: Decimal, off: Decimal, discount: &str, then: Finding) "for {due} to be collected, write {off} into a \
            column \"{discount}\" and {due} into a column \"COD Amount\", and {then}";
        part part_unknown(discount: &str, then: Finding) "otherwise write what is to be collected into a column \"COD \
            Amount\", what is paid into a column \"{discount}\", and {then}";
        part to_collect() "if it is to be collected, make its payment COD";
        part write_cod() "write COD here";
        part write_pending() "write \"pending\" here";
        part empty_cell() "empty the cell";
        part empty_this(headers: Vec<String>) "empty this cell{?headers} and {headers:quoted and}{/headers}";
        part make_cod() "make its payment COD";
        part make_cod_and_empty() "make its payment COD, and empty the cell";
    }
    bad_payment = BadPayment {
        hold(PaymentUnknown) paid_elsewhere(text: &str, column: &str, words: &[String])
            "is this order paid? \"{text}\" counts as PREPAID only where \"{column}\" is {words:quoted or}"
            => "write PREPAID here if it is paid for, or COD if the courier collects it; delete its rows if it is not to go";
        hold(PaymentNote)
            otherwise(payment: &str, header: &str, text: &str, total: Option<Decimal>, way: Finding; ignore) [way]
            "the order is {payment}, and \"{header}\" says \"{text}\"{?total}: {total} would be collected{/total}"
            => "{way}; to pass the column over always, {1}";
        part both_right() "write into both what is right, or empty the cell";
        part unless_so(part: Finding) "empty the cell if it is not so; {part}";
        part perhaps_all_paid(part: Finding) "make its payment PREPAID if all of it is paid, and empty the cell; {part}";
        part perhaps_nothing_due() "make its payment PREPAID if nothing is to be collected; empty the cell if it is";
        hold(PaymentReceipt) has_receipt(header: &str, discount: &str; ignore)
            "the order is COD, and \"{header}\" has the number of a payment: it would be collected again"
            => "make its payment PREPAID if all of it is paid; if a part is, write the rest into a column \"COD Amount\" and \
            what is paid into a column \"{discount}\"; empty the cell if nothing is paid; to pass the column over always, {1}";
    }
    held_back = HeldBack {
        hold(PaymentState)
            payment_state(payment: &str, header: &str, text: &str, outcome: Finding, part: Option<Finding>; ignore)
            [part]
            "the order is {payment}, and \"{header}\" says \"{text}\": {outcome}"
            => "write \"pending\" there where the courier collects it and \"paid\" where it is prepaid, and the type of \
            payment that goes with it{?part}; {part}{/part}; delete the rows of an order that is not to go; to pass the column \
            over always, {1}";
        part collected_again() "it would be collected again";
        part nothing_collected() "nothing would be collected";
        part rest_not_collected() "nothing of the rest would be collected";
        part all_collected() "all of it would be collected";
        part still_to_be_shipped() "is this order still to be shipped?";
    }
}
