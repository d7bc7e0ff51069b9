//! The table of all fields of a forward shipment, versions 1 and 2.

use super::kind::{Kind, Level, Need, Version};

/// One value of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Which field.
    pub id: Id,
    /// Its API path; always accepted as a header.
    pub path: &'static str,
    /// The header that people read.
    pub header: &'static str,
    /// Other headers it goes by.
    pub aliases: &'static [&'static str],
    /// Of the order or of each line.
    pub level: Level,
    /// What it takes.
    pub kind: Kind,
    /// How much a version 1 request needs it.
    pub need_v1: Need,
    /// How much a version 2 request needs it.
    pub need_v2: Need,
    /// A value as it may stand in a cell.
    pub example: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

impl Field {
    /// Whether it says who receives the shipment, and where.
    #[must_use]
    pub fn is_receivers(&self) -> bool {
        self.path.starts_with("receiver.") || self.path.starts_with("destination.")
    }

    /// How much a request of that version needs it.
    #[must_use]
    pub const fn need(&self, version: Version) -> Need {
        match version {
            Version::V1 => self.need_v1,
            Version::V2 => self.need_v2,
        }
    }

    /// Its value on a line of the starter sheet's example, counted from 0. The second line is a second product.
    #[must_use]
    pub fn example_on(&self, line: usize) -> &'static str {
        match (self.id, line) {
            (_, 0) | (Id::OrderNumber, _) => self.example,
            (Id::ProductName, _) => "Cotton scarf",
            (Id::Price, _) => "149.00",
            (Id::Quantity, _) => "1",
            (Id::Sku, _) => "SCARF-02",
            _ => "",
        }
    }

    /// Whether one constant for all orders makes sense: nobody ships everything to one person.
    #[must_use]
    pub const fn may_be_constant(&self) -> bool {
        !matches!(
            self.id,
            Id::OrderNumber
                | Id::ReceiverFirstName
                | Id::ReceiverLastName
                | Id::ReceiverEmail
                | Id::ReceiverPhone
                | Id::DestinationLine1
                | Id::DestinationLine2
                | Id::DestinationCity
                | Id::DestinationState
                | Id::DestinationPinCode
                | Id::ProductName
                | Id::Price
                | Id::Quantity
                | Id::SubTotal
        )
    }

    /// Whether a date of a spreadsheet says what is meant: in a date's column, or in words for people. Anywhere else it
    /// is a code that the spreadsheet took for a date.
    #[must_use]
    pub const fn may_be_date(&self) -> bool {
        matches!(self.kind, Kind::Instant)
            || matches!(self.id, Id::SellerNote | Id::Tags | Id::Description | Id::Category)
    }

    /// The field that says what this one is counted in.
    #[must_use]
    pub const fn unit_field(&self) -> Option<Id> {
        match (self.id, self.kind) {
            (Id::Weight, _) => Some(Id::WeightUnit),
            (Id::Length | Id::Width | Id::Height, _) => Some(Id::DimensionUnit),
            (_, Kind::Money | Kind::MoneyText) => Some(Id::CurrencyCode),
            _ => None,
        }
    }

    /// The field with that API path.
    #[must_use]
    pub fn by_path(path: &str) -> Option<&'static Self> {
        FIELDS.iter().find(|field| field.path == path)
    }
}

/// Lines of the starter sheet's example.
pub const EXAMPLE_LINES: usize = 2;

impl Id {
    /// The field's row in the table.
    #[must_use]
    pub fn field(self) -> &'static Field {
        &FIELDS[self as usize]
    }
}

/// Declares the ids and the table together, so that they cannot fall apart.
macro_rules! fields {
    ($(#[doc = $doc:literal] $id:ident = $path:literal, $header:literal, $level:ident, $kind:ident, $v1:ident, $v2:ident,
        $example:literal, $meaning:literal, [$($alias:literal),* $(,)?];)*) => {
        /// Names a field.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum Id { $(#[doc = $doc] $id,)* }

        /// Every field, in the order in which the template shows them.
        pub const FIELDS: &[Field] = &[$(Field {
            id: Id::$id,
            path: $path,
            header: $header,
            aliases: &[$($alias),*],
            level: Level::$level,
            kind: Kind::$kind,
            need_v1: Need::$v1,
            need_v2: Need::$v2,
            example: $example,
            meaning: $meaning,
        },)*];
    };
}

fields! {
    /// What tells the order from all others.
    OrderNumber = "orderNumber", "Order Number", Order, OrderNumber, Required, Required, "ORD-1001", "What tells the order from all others",
        ["Order No", "Order ID", "Order", "Order #", "Order Ref", "Order Reference", "Reference Number",
        "Sale Order Number", "Order Name", "PO Number", "Client Order ID"];
    /// When the order was made; the time of first staging where a sheet has none.
    OrderCreatedAt = "orderCreatedAt", "Order Date", Order, Instant, Optional, Optional, "2026-11-20T10:30", "When the order was made; the time of first staging where a sheet has none",
        ["Created At", "Order Created At", "Order Created", "Date", "Created", "Purchase Date", "Order Placed At",
        "Order Date Time", "Order Time", "Placed At", "Sale Date"];
    /// Where the order came from.
    ChannelId = "channelId", "Channel", Order, Text, Optional, Optional, "External", "Where the order came from",
        ["Channel ID", "Sales Channel", "Store"];
    /// The type of shipment.
    ShipmentType = "type", "Shipment Type", Order, Text, Optional, Optional, "External", "The type of shipment",
        ["Type", "Type of Shipment"];
    /// A note of the seller.
    SellerNote = "sellerNote", "Seller Note", Order, Text, Optional, Optional, "Leave at the gate", "A note of the seller",
        ["Note", "Notes", "Remarks", "Comment", "Comments", "Instructions", "Delivery Instructions"];
    /// Tags, as one text.
    Tags = "tags", "Tags", Order, Text, Optional, Optional, "festive", "Tags, as one text",
        ["Tag", "Labels"];
    /// Who shall carry it.
    Carrier = "carrier", "Carrier", Order, Text, Optional, Optional, "Delhivery", "Who shall carry it",
        ["Courier", "Courier Name", "Courier Partner", "Carrier Name"];
    /// The service level.
    Service = "service", "Service", Order, Text, Optional, Optional, "Surface", "The service level",
        ["Service Level", "Shipping Service", "Courier Service", "Shipping Mode"];
    /// The warehouse it leaves from; it must exist at the service.
    WarehouseId = "warehouseId", "Warehouse", Order, Warehouse, Absent, Required, "WH-1", "The warehouse it leaves from; it must exist at the service",
        ["Warehouse ID", "Pickup Location", "Pickup Warehouse", "Pickup Location ID", "Pickup Address ID",
        "Facility", "Facility Code"];
    /// The warehouse that it comes back to if undelivered.
    ReturnAddressId = "returnAddressId", "Return Warehouse", Order, Warehouse, Absent, Optional, "WH-1", "The warehouse that it comes back to if undelivered",
        ["Return Address ID", "Return Warehouse ID", "RTO Warehouse", "Return Location"];
    /// First name of the receiver.
    ReceiverFirstName = "receiver.firstName", "Receiver First Name", Order, Text, Required, Required, "Asha", "First name of the receiver",
        ["First Name", "Receiver Name", "Customer Name", "Customer First Name", "Name", "Consignee Name",
        "Consignee", "Recipient Name", "Recipient", "Shipping First Name", "Shipping Name", "Ship To Name",
        "Buyer Name", "Full Name", "Post to Name", "Deliver To Name", "Cust Name"];
    /// Last name of the receiver.
    ReceiverLastName = "receiver.lastName", "Receiver Last Name", Order, Text, Optional, Optional, "Rao", "Last name of the receiver",
        ["Last Name", "Customer Last Name", "Shipping Last Name", "Consignee Last Name", "Surname"];
    /// E-mail address of the receiver.
    ReceiverEmail = "receiver.email", "Receiver Email", Order, Email, Optional, Optional, "asha@example.com", "E-mail address of the receiver",
        ["Email", "E-mail", "Email Address", "Customer Email", "Consignee Email", "Email ID", "Buyer Email"];
    /// Phone number of the receiver.
    ReceiverPhone = "receiver.phoneNumber", "Receiver Phone", Order, Phone, Required, Required, "9876543210", "Phone number of the receiver",
        ["Phone", "Phone Number", "Mobile", "Mobile Number", "Mobile No", "Mobile Phone", "Phone Mobile", "Contact", "Contact Number",
        "Contact No", "Customer Phone", "Customer Mobile", "Receiver Mobile", "Receiver Phone Number",
        "Consignee Phone", "Consignee Mobile", "Telephone", "Shipping Phone", "Phone No", "Recipient Phone",
        "Mob", "Mob No", "Cust Phone", "Cust Mobile", "Buyer Phone Number", "Ship Phone Number", "Post to Phone", "Ship To Phone", "Delivery Phone"];
    /// Company of the receiver.
    ReceiverCompany = "receiver.companyName", "Receiver Company", Order, Text, Optional, Optional, "Rao Traders", "Company of the receiver",
        ["Company", "Company Name", "Shipping Company", "Organisation", "Organization", "Receiver Company Name"];
    /// First line of the destination address.
    DestinationLine1 = "destination.addressLine1", "Address Line 1", Order, Text, Required, Required, "14 MG Road", "First line of the destination address",
        ["Address", "Address 1", "Addr", "Cust Address", "Shipping Address", "Shipping Address 1", "Shipping Address Line 1", "Street",
        "Street Address", "Ship Address 1", "Delivery Address", "Customer Address", "Consignee Address",
        "Address1", "Destination Address Line 1", "Ship To Address 1", "Post to Address 1"];
    /// Second line of the destination address.
    DestinationLine2 = "destination.addressLine2", "Address Line 2", Order, Text, Optional, Optional, "Near City Mall", "Second line of the destination address",
        ["Address 2", "Shipping Address 2", "Shipping Address Line 2", "Landmark", "Ship Address 2",
        "Destination Address Line 2", "Ship To Address 2", "Post to Address 2"];
    /// City of the destination address.
    DestinationCity = "destination.city", "City", Order, Text, Required, Required, "Bengaluru", "City of the destination address",
        ["Shipping City", "Ship City", "Town", "Town/City", "Destination City", "Customer City", "Consignee City",
        "Ship To City", "Post to City", "Delivery City"];
    /// State of the destination address.
    DestinationState = "destination.state", "State", Order, Text, Required, Required, "Karnataka", "State of the destination address",
        ["Shipping State", "Province", "Shipping Province", "Ship State", "Region", "Destination State",
        "Customer State", "Consignee State", "Shipping Province Name", "Ship To State", "Post to County", "County", "Delivery State"];
    /// Country of the destination address, by name; from the code where missing.
    DestinationCountry = "destination.country", "Country", Order, Text, Optional, Optional, "India", "Country of the destination address, by name; from the code where missing",
        ["Shipping Country", "Destination Country", "Country Name", "Ship To Country", "Country/Region", "Post to Country"];
    /// Country of the destination address, by ISO code.
    DestinationCountryCode = "destination.countryCode", "Country Code", Order, CountryCode, Required, Required, "IN", "Country of the destination address, by ISO code",
        ["Shipping Country Code", "Ship Country", "ISO Country", "Destination Country Code", "Country ISO"];
    /// Postal code of the destination address.
    DestinationPinCode = "destination.pinCode", "PIN Code", Order, PinCode, Required, Required, "560001", "Postal code of the destination address",
        ["Pincode", "Pin", "Postal Code", "Postcode", "Post Code", "Zip", "Zip Code", "Shipping Pincode",
        "Shipping Zip", "Shipping Postcode", "Ship Postal Code", "Destination Pincode", "Destination PIN Code",
        "Customer Pincode", "Consignee Pincode", "Delivery Pincode", "Ship To Zip", "Post to Postcode", "Ship To Postcode"];
    /// Kind of the destination address.
    DestinationType = "destination.type", "Address Type", Order, Text, Optional, Optional, "Residential", "Kind of the destination address",
        ["Destination Type", "Destination Address Type"];
    /// First name of the sender.
    SenderFirstName = "sender.firstName", "Sender First Name", Order, Text, Required, Absent, "Asha", "First name of the sender",
        ["Sender Name"];
    /// Last name of the sender.
    SenderLastName = "sender.lastName", "Sender Last Name", Order, Text, Optional, Absent, "Rao", "Last name of the sender",
        [];
    /// E-mail address of the sender.
    SenderEmail = "sender.email", "Sender Email", Order, Email, Optional, Absent, "asha@example.com", "E-mail address of the sender",
        ["Sender Email Address"];
    /// Phone number of the sender.
    SenderPhone = "sender.phoneNumber", "Sender Phone", Order, Phone, Required, Absent, "9876543210", "Phone number of the sender",
        ["Sender Phone Number", "Sender Mobile"];
    /// Company of the sender.
    SenderCompany = "sender.companyName", "Sender Company", Order, Text, Optional, Absent, "Rao Traders", "Company of the sender",
        ["Sender Company Name"];
    /// First line of the origin address.
    OriginLine1 = "origin.addressLine1", "Origin Address Line 1", Order, Text, Required, Absent, "14 MG Road", "First line of the origin address",
        ["Origin Address", "Origin Address 1"];
    /// Second line of the origin address.
    OriginLine2 = "origin.addressLine2", "Origin Address Line 2", Order, Text, Optional, Absent, "Near City Mall", "Second line of the origin address",
        ["Origin Address 2"];
    /// City of the origin address.
    OriginCity = "origin.city", "Origin City", Order, Text, Required, Absent, "Bengaluru", "City of the origin address",
        [];
    /// State of the origin address.
    OriginState = "origin.state", "Origin State", Order, Text, Required, Absent, "Karnataka", "State of the origin address",
        [];
    /// Country of the origin address, by name; from the code where missing.
    OriginCountry = "origin.country", "Origin Country", Order, Text, Optional, Absent, "India", "Country of the origin address, by name; from the code where missing",
        [];
    /// Country of the origin address, by ISO code.
    OriginCountryCode = "origin.countryCode", "Origin Country Code", Order, CountryCode, Required, Absent, "IN", "Country of the origin address, by ISO code",
        [];
    /// Postal code of the origin address.
    OriginPinCode = "origin.pinCode", "Origin PIN Code", Order, PinCode, Required, Absent, "560001", "Postal code of the origin address",
        ["Origin Pin", "Origin Pincode", "Origin Postal Code", "Origin Zip"];
    /// Kind of the origin address.
    OriginType = "origin.type", "Origin Address Type", Order, Text, Optional, Absent, "Residential", "Kind of the origin address",
        ["Origin Type"];
    /// First line of the return address.
    ReturnLine1 = "returnAddress.addressLine1", "Return Address Line 1", Order, Text, Optional, Absent, "14 MG Road", "First line of the return address",
        ["Return Address", "Return Address 1"];
    /// Second line of the return address.
    ReturnLine2 = "returnAddress.addressLine2", "Return Address Line 2", Order, Text, Optional, Absent, "Near City Mall", "Second line of the return address",
        ["Return Address 2"];
    /// City of the return address.
    ReturnCity = "returnAddress.city", "Return City", Order, Text, Optional, Absent, "Bengaluru", "City of the return address",
        [];
    /// State of the return address.
    ReturnState = "returnAddress.state", "Return State", Order, Text, Optional, Absent, "Karnataka", "State of the return address",
        [];
    /// Country of the return address, by name; from the code where missing.
    ReturnCountry = "returnAddress.country", "Return Country", Order, Text, Optional, Absent, "India", "Country of the return address, by name; from the code where missing",
        [];
    /// Country of the return address, by ISO code.
    ReturnCountryCode = "returnAddress.countryCode", "Return Country Code", Order, CountryCode, Optional, Absent, "IN", "Country of the return address, by ISO code",
        [];
    /// Postal code of the return address.
    ReturnPinCode = "returnAddress.pinCode", "Return PIN Code", Order, PinCode, Optional, Absent, "560001", "Postal code of the return address",
        ["Return Pin", "Return Pincode", "Return Postal Code", "Return Zip"];
    /// Kind of the return address.
    ReturnType = "returnAddress.type", "Return Address Type", Order, Text, Optional, Absent, "Residential", "Kind of the return address",
        ["Return Type"];
    /// Length of the parcel.
    Length = "parcelAttributes.dimension.length", "Length", Order, Measure, Required, Required, "20", "Length of the parcel",
        ["Package Length", "Parcel Length", "Shipment Length", "L"];
    /// Width of the parcel.
    Width = "parcelAttributes.dimension.width", "Width", Order, Measure, Required, Required, "15", "Width of the parcel",
        ["Breadth", "Package Width", "Package Breadth", "Parcel Width",
        "Shipment Width", "Shipment Breadth", "W", "B"];
    /// Height of the parcel.
    Height = "parcelAttributes.dimension.height", "Height", Order, Measure, Required, Required, "10", "Height of the parcel",
        ["Package Height", "Parcel Height", "Shipment Height", "H"];
    /// Unit of length, width and height.
    DimensionUnit = "parcelAttributes.dimension.unit", "Dimension Unit", Order, LengthUnit, Optional, Optional, "cm", "Unit of length, width and height",
        ["Length Unit", "Size Unit", "Dimensions Unit"];
    /// Weight of the parcel.
    Weight = "parcelAttributes.weight.weight", "Weight", Order, Measure, Required, Required, "0.5", "Weight of the parcel",
        ["Package Weight", "Parcel Weight", "Shipment Weight",
        "Weight of Shipment", "Total Weight", "Dead Weight"];
    /// Unit of the weight.
    WeightUnit = "parcelAttributes.weight.unit", "Weight Unit", Order, WeightUnit, Optional, Optional, "kg", "Unit of the weight",
        [];
    /// What the line is.
    ProductName = "productRequestsList.productName", "Product Name", Line, Text, Required, Required, "Cotton kurta", "What the line is",
        ["Product", "Item", "Item Name", "Item Description", "Line Item Name", "Lineitem Name", "Product Title",
        "Title", "Item Title"];
    /// Price of one piece.
    Price = "productRequestsList.price", "Price", Line, Money, Required, Required, "499.90", "Price of one piece",
        ["Unit Price", "Item Price", "Product Price", "Lineitem Price", "Line Item Price", "Selling Price",
        "Unit Item Price", "Rate", "Price per Unit", "Sale Price", "Offer Price", "Discounted Price", "Deal Price",
        "Final Price", "Net Price", "Special Price", "SP", "Selling Rate", "Sale Rate", "Offer Rate", "Net Rate", "Unit Rate",
        "Rate per Unit", "Rate per Piece", "Price incl GST", "Price including GST", "Price incl Tax",
        "MRP"];
    /// How many pieces.
    Quantity = "productRequestsList.quantity", "Quantity", Line, Quantity, Required, Required, "2", "How many pieces",
        ["Qty", "Product Quantity", "Item Quantity", "Lineitem Quantity", "Line Item Quantity",
        "Quantity Purchased", "Units", "Quantity Ordered", "Product Qty", "Pieces", "Pcs", "Nos", "No. of Pcs",
        "No. of Pieces"];
    /// The seller's own code of the product.
    Sku = "productRequestsList.sku", "SKU", Line, Text, Optional, Optional, "KURTA-M-01", "The seller's own code of the product",
        ["SKU Code", "Product SKU", "Item SKU", "Lineitem SKU", "Line Item SKU", "Item Code", "Product Code",
        "Master SKU", "Seller SKU", "Product ID"];
    /// Category of the product.
    Category = "productRequestsList.category", "Category", Line, NullableText, Optional, Optional, "Apparel", "Category of the product",
        ["Product Category", "Item Category"];
    /// Currency of the price.
    CurrencyCode = "productRequestsList.currencyCode", "Currency", Line, Currency, Optional, Optional, "INR", "Currency of the price",
        ["Currency Code"];
    /// Tax rate in percent.
    TaxRate = "productRequestsList.taxRate", "Tax Rate", Line, Rate, Optional, Optional, "18", "Tax rate in percent",
        ["Tax %", "GST", "GST %", "GST Rate", "Tax Percentage", "Product Tax Rate", "Tax Rate %"];
    /// Discount on this line.
    LineDiscount = "productRequestsList.discount", "Product Discount", Line, MoneyText, Optional, Optional, "0", "Discount on this line",
        ["Item Discount", "Line Discount", "Discount per Unit", "Lineitem Discount", "Line Item Discount",
        "Unit Discount", "Discount per Piece", "Discount (Per Unit Item)", "Discount per Item"];
    /// Whether the price includes taxes.
    TaxesIncluded = "productRequestsList.taxesIncluded", "Taxes Included", Line, Flag, Optional, Optional, "yes", "Whether the price includes taxes",
        ["Tax Included", "Tax Inclusive", "Price Includes Tax", "Price Includes GST", "GST Included", "GST Inclusive",
        "GST Incl", "Tax Incl", "Incl GST", "Incl Tax", "Inclusive of GST", "Inclusive of Tax", "Includes GST",
        "Includes Tax"];
    /// Description of the product.
    Description = "productRequestsList.description", "Description", Line, NullableText, Optional, Optional, "Blue, size M", "Description of the product",
        ["Product Description"];
    /// Customs tariff code of the product.
    HsCode = "productRequestsList.hs_code", "HS Code", Line, NullableText, Optional, Optional, "6204", "Customs tariff code of the product",
        ["HSN", "HSN Code", "HS", "HSN/SAC", "Harmonized Code", "Tariff Code"];
    /// Type of payment.
    OrderType = "shippingProperties.orderType", "Payment Type", Order, Payment, Required, Required, "PREPAID", "Type of payment",
        ["Payment Method", "Payment Mode", "Pay Mode", "Order Type", "Payment", "Mode of Payment", "COD/Prepaid",
        "Prepaid/COD", "Payment Status"];
    /// Price × quantity over all lines; computed where missing.
    SubTotal = "shippingProperties.subTotal", "Subtotal", Order, Money, Optional, Optional, "999.80", "Price × quantity over all lines; computed where missing",
        ["Sub Total", "Order Subtotal", "Items Total", "Product Total"];
    /// What the customer pays for shipping.
    ShippingCharges = "shippingProperties.shippingCharges", "Shipping Charges", Order, Money, Optional, Optional, "40", "What the customer pays for shipping",
        ["Shipping", "Shipping Charge", "Shipping Cost", "Freight", "Delivery Charges", "Shipping Fee",
        "Shipping Amount", "Shipping Rate", "Shipping Rates", "Shipping Price"];
    /// Further charges.
    OtherCharges = "shippingProperties.otherCharges", "Other Charges", Order, Money, Optional, Optional, "0", "Further charges",
        ["Other Charge", "Additional Charges", "Transaction Charges", "Gift Wrap Charges", "Giftwrap Charges"];
    /// Discount on the whole order.
    Discount = "shippingProperties.discount", "Order Discount", Order, Money, Optional, Optional, "0", "Discount on the whole order",
        ["Discount", "Total Discount", "Discount Amount", "Order Discount Amount"];
}
