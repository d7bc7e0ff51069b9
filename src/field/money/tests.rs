//! Headers that speak of money, and headers that do not.

use crate::field::{AmountRole, Id, Sign, known_amount};

#[test]
fn words_speak_of_money() {
    const CASES: &[(AmountRole, &str)] = &[
        (AmountRole::Total, "Total/Amount/Total Amount/Order Value/Invoice Value/Bill Amount/Total Price (Rs)"),
        (AmountRole::Total, "Total (incl. GST)/Declared Value/Net Amount/Line Total/OrderAmount/Value"),
        (AmountRole::Order, "Net Payable/Payable/Amount Payable/Final Amount/Grand Total (₹)"),
        (AmountRole::Collect, "COD/COD Amt (Rs)/COD Value Rs/Balance (Rs)/Balance Amount (INR)/To be collected"),
        (AmountRole::Collect, "Cash to be collected/Due/Due Amount/Collectable Value/Amount to be paid/codAmount"),
        (AmountRole::Collect, "Pending Payment/Is COD/COD (Y-N)/Cash on Delivery"),
        (AmountRole::Paid, "Advance Paid (Rs)/Advance Rs/Amount Received/Part Paid/Deposit/Prepaid Amount/Paid"),
        (AmountRole::Paid, "Paid Online/Advance Amount (₹)"),
        (AmountRole::Beside, "COD Charges/Packing Charges/Delivery Fee/Coupon Discount/Wallet/Store Credit"),
        (AmountRole::Total, "Net/Gross/Bill/Tot/Rs/INR/₹"),
        (AmountRole::Collect, "To Pay/Customer To Pay/Left to pay/Remaining/Remaining Amount"),
        (AmountRole::Paid, "Booking Amount/Token Amount/Rcvd Amount"),
        (AmountRole::Beside, "Token/Rcvd/Shipping Paid/Delivery Paid/Platform Fee/Convenience Fee/Insurance/Transport"),
        (AmountRole::Beside, "Extra/Less/Offer/Credit/Credits Used/Cartage"),
        (AmountRole::Tax, "IGST/CGST/SGST/UTGST/Cess/Tax (INR)/GST Rs/GST Charges/Integrated Tax/Tax (Rs.)"),
        (AmountRole::TaxOnTop, "GST Extra/Tax Extra/Price excl GST?/GST Excluded/Plus GST"),
        (
            AmountRole::Sign(Sign::Stop { over: false }),
            "Cancelled Qty/Return Qty/Returned Quantity/Qty Cancelled/Shipped Qty/Rejected Pcs",
        ),
        (AmountRole::Same(Id::Quantity), "Qty to Ship/Pending Qty/Qty to be dispatched"),
        (AmountRole::Collect, "Customer Pays/Amount Due on Delivery/Payable at Delivery/To be paid by customer/Baki"),
        (AmountRole::Collect, "Collect at door/Cash to take/Pay on Delivery"),
        (AmountRole::Paid, "UPI Paid/Paid via UPI/Paid by Card/Customer Paid"),
        (AmountRole::Beside, "Gift Wrap/Add On/S&H/Concession/Scheme/Redeemed/Points Redeemed (Rs)/GPay/Customisation"),
        (AmountRole::Collect, "To be paid/Cust Pay/Udhar/Bakaya/Amount to be paid"),
        (
            AmountRole::Paid,
            "Paid (UPI)/GPay Received/Razorpay Amount/UPI Amount/PhonePe Paid/RazorPay Paid/Less Adv/Less Advance/Jama/Bank Received",
        ),
        (
            AmountRole::Beside,
            "Diff/Difference/Difference Amount/Exchange Difference/Extra Amount/Flat Off/Points/Loyalty \
             Points/Points Redeemed/Stitching/Stitching Charges/Engraving/Express Delivery/Ship Amt/Delivery \
             Amt/Delivery Cost/Courier Amount/Courier Charge/P&F/Pkg/Postal/Pending/Online/Gift Wrap \
             Price/Ship/Courier",
        ),
        (AmountRole::Order, "Total incl. Shipping/Total + Shipping/Amount with COD Charges"),
        (AmountRole::Order, "Final/Grand"),
        (AmountRole::Tax, "GST 18%/VAT 5%/Tax (18%)/Tax @18%"),
        (AmountRole::TaxOnTop, "GST Type/Tax Type/Price Type"),
        (AmountRole::PercentOff, "Discount %/Disc (%)/% Off/Offer Percent"),
        (AmountRole::Receipt, "UTR/UTR No/UPI Ref No./UPI Transaction ID/Bank Ref/NEFT UTR/Razorpay Txn ID/UTR or Ref"),
        (AmountRole::DiscountIn, "Discount Type/Disc Type/Discount Unit/Discount In/discount_type/Item Discount Type"),
        (AmountRole::Beside, "Cash/Received/Gift Card/Round Off/Refunded/Disc/Unit Discount"),
    ];
    for header in ["Price", "Festival Price", "SP", "Price (incl. GST)"] {
        assert_eq!(known_amount(header), Some(AmountRole::Same(Id::Price)), "{header}");
    }
    for (role, headers) in CASES {
        for header in headers.split('/') {
            assert_eq!(known_amount(header), Some(*role), "{header}");
        }
    }
}

#[test]
fn a_total_of_one_thing_is_none_of_the_order() {
    const CASES: &[(AmountRole, &str)] = &[
        (AmountRole::Order, "Total (incl. of shipping)/Total with delivery charges"),
        (
            AmountRole::Beside,
            "Total shipping/Total shipping tax incl/Total wrapping (tax incl)/Total discounts tax incl",
        ),
        (AmountRole::Paid, "Total paid tax incl/Total Paid"),
        (
            AmountRole::Beside,
            "Shipping Cost (inc tax)/Handling Cost (inc tax)/Wrapping Cost (inc tax)/Shipping Rate/Delivery Rate/Order \
             Shipping/Shipping Method Cost/Shipping Method Charge/Delivery Type Fee/Payment method fee/Payment Mode \
             Fee/Payment Type Charges/Payment Processing Fee/Payment Gateway Fee/Packing Cost/Order Shipping \
             Amount/Order Shipping Total/Shipping Service Cost/Shipping Line Price",
        ),
    ];
    for (role, headers) in CASES {
        for header in headers.split('/') {
            assert_eq!(known_amount(header), Some(*role), "{header}");
        }
    }
}

#[test]
fn words_of_other_things_do_not() {
    const HEADERS: &str = "Total Qty/Total Items/Volumetric Weight/Total Parcels/Paid At/Paid by/Discount \
Code/Due Date/ Balance Qty/GST %/Refund Status/Deposit Slip No/COD Verified/Invoice No/ Cost Price/List \
Price/Product Value/Taxable Value/Amount excl. GST/Shelf/Order/ Credit Card/Commission Fee/Collection \
Date/Mode/Payment";
    for header in HEADERS.split('/') {
        let role = known_amount(header).filter(|role| role.is_money());
        assert!(role.is_none(), "{header}: {role:?}");
    }
}
