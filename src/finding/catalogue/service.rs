//! What is said of orders by what the service and the ledger know, and of warehouses.

catalogue! {
    not_serviceable = NotServiceable {
        hold(NotServiceable) no_courier(from: &str, to: &str) "no courier goes from {from} to {to}"
            => "correct the PIN code, or send this order another way";
        hold(NotServiceable) not_this_courier(carrier: &str, from: &str, to: &str, others: &[&str])
            "{?carrier}{carrier}{/carrier}{!carrier}couriers{/carrier} does not go from {from} to {to}; what goes there: \
             {others:and}"
            => "leave the carrier blank, or name one of these";
    }

    payment_not_serviceable = PaymentNotServiceable {
        hold(NotServiceable) prepaid_only(carrier: &str, from: &str, to: &str)
            "from {from} to {to}, {?carrier}{carrier}{/carrier}{!carrier}couriers{/carrier} take prepaid orders only, and \
             this one is cash on delivery"
            => "ask for the money in advance and book it as PREPAID, or correct PIN code or carrier";
        hold(NotServiceable) cod_only(carrier: &str, from: &str, to: &str)
            "from {from} to {to}, {?carrier}{carrier}{/carrier}{!carrier}couriers{/carrier} take cash on delivery only, and \
             this one is prepaid"
            => "correct the PIN code, or send this order another way";
    }

    serviceability_unknown = ServiceabilityUnknown {
        hold(ServiceabilityUnknown)
            unanswered(to: &str, why: Finding; not_required) "nobody knows whether a courier goes to {to}: {why}"
            => "import again later, or without {1}";
        hold(ServiceabilityUnknown)
            pickup_unknown(to: &str, why: Finding; name_pickup) "nobody knows whether a courier goes to {to}: {why}"
            => "give {1}";
        warn(CouriersNotAsked)
            not_asked_about(orders: u64, why: Finding; name_pickup) "{orders:count order} cannot be asked about: {why}"
            => "give {1}";
        warn(CouriersNotAsked)
            pairs_unanswered(pairs: u64, from: &str, to: &str, why: Finding, given_up: Option<String>; require)
            "{pairs:count pair} of PIN codes without an answer, the first {from} to {to}: {why}{?given_up}; it was given up: \
             {given_up}{/given_up}"
            => "orders to them are sent unchecked, unless {1} holds them back";
        // Why there is no answer.
        part failed(error: String) "{error}";
        part given_up() "it was not asked for, after failures in a row";
        part not_asked() "it was not asked for";
        part warehouse_without_pin(warehouse: &str) "the PIN code of warehouse {warehouse} is not known";
        part origin_without_pin() "the PIN code of the origin is not known";
    }

    cancelled_before = CancelledBefore {
        warn(OrderKnown) cancelled(on: &str) "this order was cancelled at the service on {on}; it is not sent again"
            => "if it is to be shipped after all, give it a new order number in the sheet";
        warn(OrderKnown) asked_without_answer(on: &str) like cancelled
            "the cancellation of this order was asked for on {on} without a clear answer; it is not sent again"
            => "if it is to be shipped after all, give it a new order number in the sheet";
    }

    in_doubt = InDoubt {
        hold(InDoubt) left_alone(orders: u64; list) "{orders:count order in doubt} left alone"
            => "settle what is in doubt as `{1}` shows";
    }

    answer_not_saved = AnswerNotSaved {
        hold(AnswerNotSaved) kept_beside(spool: String; resume)
            "the service answered, and the ledger could not take the answer; it is kept beside it"
            => "nothing is lost: {spool} keeps it, and the next start takes it up; once the ledger can be written again, `{1}`";
        hold(AnswerNotSaved) kept_nowhere(; list) "the service answered, and the ledger could not keep the answer"
            => "write it down: nothing else has it; once the ledger can be written again, settle the order as `{1}` shows";
    }

    warehouse_twice = RowsTwice {
        hold(WarehouseRow) warehouse(row: u32) "this warehouse stands in row {row} as well";
    }

    warehouse_name = MissingValue {
        hold(WarehouseRow) warehouse_name() "a warehouse needs a name" => "type the name that your order sheets use";
    }

    warehouse_digits = DigitsLost {
        hold(WarehouseRow) of_warehouse() "lost digits" => "format the column as text and type it again";
    }

    warehouse_error = ErrorCell {
        hold(WarehouseRow) of_warehouse() "a spreadsheet's error, and no value" => "correct its formula";
    }

    warehouse_formula = FormulaWithoutValue {
        hold(WarehouseRow) of_warehouse() "a formula that was saved without its value"
            => "open the file in a spreadsheet program and save it";
    }

    warehouse_text = BadText {
        hold(WarehouseRow) not_json() "not JSON; it should be a number, true, false or null" => "correct it";
    }
}
