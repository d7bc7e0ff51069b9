//! What is said of orders' money: totals, charges, discounts, taxes and payments.

catalogue! {
    currency_clash = CurrencyClash {
        hold(CurrencyUnclear) in_order(first: &str, there: &Place, other: &str, here: &Place)
            "one order has one currency, but this one has {first} in {there} and {other} in {here}"
            => "{accept} to send each product in its own, or make an order of each currency";
    }
    subtotal_differs = SubtotalDiffers {
        hold(TotalDiffers) collected(given: Decimal, computed: Decimal)
            "the subtotal says {given}, but price × quantity over the lines is {computed}"
            => "{accept} to send {given}, which would be collected; otherwise correct it or the prices";
        warn(TotalDiffers) sent(given: Decimal, computed: Decimal)
            "the subtotal says {given}, but price × quantity over the lines is {computed}"
            => "the given one is sent";
    }
    not_positive = NotPositive {
        hold(NothingToCollect)
            nothing_to_collect() "a COD order that comes to 0: nothing would be collected at the door"
            => "{accept} if nothing is to be collected; otherwise correct the prices, the discount or the payment";
    }
    unusual_value = UnusualValue {
        warn(WorthNothing) worth_nothing() "all prices of this order are 0: the shipment is declared as worth nothing"
            => "write what the products are worth; a gift or a sample has a value too";
    }
    bad_number = BadNumber {
        hold(DiscountUnclear)
            discount_above_total(discount: Decimal) "the discount {discount} is more than the order comes to"
            => "{accept} to send it as it stands, or correct the discount or the prices";
        hold(DiscountUnclear)
            discounts_above_total(discount: Decimal)
            "the discounts of its products come to {discount}, which is more than the order comes to"
            => "{accept} to send it as it stands, or correct the discounts or the prices";
        hold(DiscountUnclear)
            total_below_zero(total: Decimal) "the order comes to {total}, which is below zero"
            => "{accept} to send it as it stands, or correct the amounts that are below zero";
    }
    missing_product = MissingProduct {
        hold(AmountAsProduct)
            amount_as_product(name: &str, amount: Option<Decimal>, shipping: &str, charges: &str, discount: &str)
            "\"{name}\"{?amount} ({amount}){/amount} is an amount and not a product: as a product it is added to the order"
            => "{accept} to send it as a product; if it is none, delete its row: what the order has beside its products \
            stands in the columns \"{shipping}\", \"{charges}\" and \"{discount}\"";
    }
    total_differs = TotalDiffers {
        warn(PriceSummed) price_summed(header: &str, sum: Decimal, pieces: Decimal) [header]
            "\"{header}\" is added up to {sum} here, but as the price of one piece it comes to {pieces} over all orders"
            => "if it is what all pieces of a row come to, give it the header \"Line Total\"; if it is the price of one piece, \
            there is nothing to do";
        hold(TotalDiffers)
            unreadable() "an amount that cannot be read, so that nobody can tell what is to be collected"
            => "{accept} to send the order as it stands, or write digits, with a point before the decimals";
        hold(TotalDiffers) unconfirmed(amount: Decimal, total: Decimal, header: Option<&str>) [header]
            "an amount of {amount} that is not sent; {total} would be collected, and no total in the sheet says that this is right"
            => "{accept} if {total} is right; otherwise write what is to be collected into a column \"COD Amount\"\
            {?header}, or give the column the header \"{header}\" if it changes what customers pay{/header}\
            {?1}; if it never does, ignore the column {1}{/1}";
        hold(TotalDiffers) tax_beside(amount: Decimal, total: Decimal)
            "a tax of {amount}, which the prices may have in them or not; {total} would be collected, and no total \
            in the sheet says that this is right"
            => "{accept} if {total} is right; where the prices always have it in them, say yes in a column \"Taxes Included\"; \
            otherwise write what is to be collected into a column \"COD Amount\"{?1}; if it means something else, ignore the column {1}{/1}";
        warn(TotalDiffers) beside(amount: Decimal, total: Decimal)
            "an amount of {amount} that is not sent; the order is sent as worth {total}"
            => "there is nothing to do if that is right{?1}; to silence this warning, ignore the column {1}{/1}";
        warn(AmountComputed) settled(amounts: Vec<Finding>, total: Decimal) [amounts]
            "by this total of {total} the order goes with {amounts:and}"
            => "there is nothing to do if that is right; a column with the amount of the whole order says it without this notice";
        warn(AmountComputed) chosen_amount(total: Decimal, amounts: Option<Vec<Finding>>) [amounts]
            "{total} was chosen for this order{?amounts}: it goes with {amounts:and}{/amounts}"
            => "there is nothing to do if that is right";
        warn(AmountComputed) counts_once(header: &str, amount: Decimal, total: Decimal, field: &str)
            "{header} of {amount} stands on several rows of this order and counts once: {total} is collected"
            => "if the order has one, the header \"{field}\" says so without this notice; if each row has its own, write what is \
            to be collected into a column \"COD Amount\"";
        warn(AmountComputed) discounts_taken_off(discounts: Decimal, total: Decimal)
            "the products have discounts of {discounts} of their own, which are taken off: {total} is collected"
            => "there is nothing to do if that is right; a column \"COD Amount\" with what is to be collected settles it";
        hold(TotalDiffers)
            other_total(given: Decimal, of: Finding, total: Decimal, sums: Finding, cause: Option<&str>,
            less: Option<Finding>, products: bool) [of, cause, less, products]
            "the sheet says that {given} {of}, but what would be sent comes to {total} ({sums}){?cause}; the difference is what \
            \"{cause}\" says{/cause}"
            => "{accept} to send {total}{?less}; {less}{/less}{!less}; if {given} is right, correct what differs\
            {?products}, or write what is to be collected into a column \"COD Amount\"; if the column is always that of the \
            products alone, give it the header \"Line Total\"{/products}{/less}\
            {?1}; if it means something else, ignore the column {1}{/1}";
        part less(given: Decimal, off: Decimal, discount: &str)
            "to collect {given}, write {off} into a column \"{discount}\"";
        part paid_already() "if it is paid already, make its payment PREPAID";
        part is_collected() "is to be collected";
        part is_its(header: &str) "is its \"{header}\"";
        part is_total() "is the order's total";
        part sums(products: Decimal, shipping: Option<Decimal>, charges: Option<Decimal>, discount: Option<Decimal>)
            "products {products}{?shipping} + shipping {shipping}{/shipping}{?charges} + other charges {charges}{/charges}\
            {?discount} − discount {discount}{/discount}";
        part discount_of(amount: Decimal) "discount of {amount}";
        part charges_of(amount: Decimal) "other charges of {amount}";
        hold(TaxUnclear) without_tax(total: Decimal, tax: Option<Decimal>, included: &str, charges: &str)
            "the prices have no tax in them; {total} would be collected, without the tax{?tax} of {tax}{/tax}"
            => "{accept} if {total} is right; if the prices have the tax in them, say yes as \"{included}\"; if customers pay \
            it on top, a column \"{charges}\" has its amount, or a column \"COD Amount\" what is to be collected";
        hold(DiscountUnclear)
            unclear(header: &str, reading: Finding, total: Decimal, other: Decimal; ignore) [reading]
            "\"{header}\": {reading}; the order goes with {total}, and otherwise comes to {other}"
            => "{accept} if {total} is right; if another amount is, a column \"COD Amount\" with what is to be collected \
            settles it{?1}; to always ignore the column, {1}{/1}";
        part percent_off(text: &str) "nothing says whether {text}, in percent, is still to be taken off the prices";
        part in_price(discount: Decimal) "the prices seem to have {discount} taken off already, and it is taken off again";
        part beside_own(discounts: Decimal, own: Decimal) "the products have discounts of {discounts} of their own, and the order \
            goes with its own discount of {own} alone";
    }
    partly_paid = PartlyPaid {
        hold(PaymentDiffers) figure_in_payment(text: &str, payment: &str, total: Decimal, part: Finding) [part]
            "\"{text}\" as the payment of an order that comes to {total}: nobody can tell what is to be collected"
            => "{accept} to send it as {payment} with {total}; {part}";
        hold(PaymentDiffers) less_paid(header: &str, text: &str, payment: &str, total: Decimal, part: Finding) [part]
            "\"{header}\" says {text}, and the order, which is {payment}, comes to {total}: nothing would be collected"
            => "{accept} if all of it is paid; if the courier is to collect it, make its payment COD; {part}\
            {?1}; if it means something else, ignore the column {1}{/1}";
        hold(PaymentDiffers) part_paid(place: &Place, total: Decimal, part: Finding) [part]
            "{place} says that a part of this order is paid already, but it would be collected in full: {total}"
            => "{accept} to collect {total}; if all of it is paid, make its payment PREPAID; {part}\
            {?1}; if it means something else, ignore the column {1}{/1}";
        warn(AmountComputed) rest_collected(paid: Decimal, due: Decimal)
            "{paid} is paid already: {due} is collected, and what is paid goes as a discount"
            => "there is nothing to do if that is right; otherwise correct the amount, or the answer in the profile";
        warn(AmountComputed) paid_in_advance(paid: Decimal)
            "{paid} is paid already, which is all of it: it goes as PREPAID, and nothing is collected"
            => "there is nothing to do if that is right; otherwise correct the amount, or the answer in the profile";
        warn(AmountComputed) paid_by_remark(text: &str)
            "its payment is COD, and \"{text}\" means that it is paid: it goes as PREPAID, and nothing is collected"
            => "there is nothing to do if that is right; otherwise correct the remark, or the answer in the profile";
        part part(due: Option<Decimal>, off: Option<Decimal>, discount: &str)
            "to collect the rest alone, write {?off}{off}{/off}{!off}what is paid{/off} into a column \"{discount}\" and \
            {?due}{due}{/due}{!due}what is due{/due} into a column \"COD Amount\"";
    }
    bad_payment = BadPayment {
        hold(PaymentUnknown) paid_elsewhere(text: &str, column: &str, words: &[String])
            "is this order paid? \"{text}\" counts as PREPAID only where \"{column}\" is {words:quoted or}"
            => "write PREPAID here if it is paid for, or COD if the courier collects it";
        hold(PaymentDiffers)
            otherwise(payment: &str, header: &str, text: &str, total: Option<Decimal>, part: Option<Finding>; ignore) [part]
            "the order is {payment}, and \"{header}\" says \"{text}\"{?total}: {total} would be collected{/total}"
            => "{accept} if {payment} is right; otherwise correct its payment{?part}; {part}{/part}{?1}; to always ignore \
            the column, {1}{/1}";
        hold(PaymentDiffers) has_receipt(header: &str, part: Finding; ignore)
            "the order is COD, and \"{header}\" has the number of a payment: it would be collected again"
            => "{accept} if nothing is paid; if all of it is, make its payment PREPAID; {part}{?1}; to always ignore \
            the column, {1}{/1}";
    }
    held_back = HeldBack {
        hold(PaymentDiffers)
            payment_state(payment: &str, header: &str, text: &str, outcome: Finding, part: Option<Finding>; ignore)
            [part]
            "the order is {payment}, and \"{header}\" says \"{text}\": {outcome}"
            => "{accept} if {payment} is right; otherwise correct its payment{?part}; {part}{/part}; delete the rows of an \
            order that should not be shipped{?1}; to always ignore the column, {1}{/1}";
        hold(PaymentDiffers) unpaid_as_answered(header: &str, text: &str)
            "\"{header}\" says \"{text}\", which means by your answer that the order is not paid yet"
            => "change the cell once it is paid, or {accept}; to answer otherwise, change the answer in the profile";
        part collected_again() "it would be collected again";
        part nothing_collected() "nothing would be collected";
        part rest_not_collected() "nothing of the rest would be collected";
        part all_collected() "all of it would be collected";
        part still_to_be_shipped() "is this order still to be shipped?";
    }
}
