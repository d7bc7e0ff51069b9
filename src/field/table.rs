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
    /// The field that further columns of it feed: of a name the family name, of an address its second line, and else itself.
    pub(crate) fn further(&'static self) -> &'static Self {
        match self.id {
            Id::ReceiverFirstName => Id::ReceiverLastName.field(),
            Id::DestinationLine1 => Id::DestinationLine2.field(),
            _ => self,
        }
    }

    /// What stands between columns that feed it together.
    pub(crate) fn between(&self) -> &'static str {
        match self.id {
            Id::ReceiverPhone => "",
            Id::OrderNumber => "-",
            Id::DestinationLine1 | Id::DestinationLine2 => ", ",
            _ => " ",
        }
    }

    /// Whether two columns together may feed it.
    pub(crate) fn may_be_joined(&self) -> bool {
        matches!(self.kind, Kind::Text | Kind::NullableText | Kind::Phone | Kind::OrderNumber)
    }

    /// Whether it says who receives the shipment, and where.
    pub(crate) fn is_receivers(&self) -> bool {
        (Id::ReceiverFirstName..=Id::DestinationType).contains(&self.id)
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
    pub(crate) fn example_on(&self, line: usize) -> &'static str {
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
    pub(crate) const fn may_be_constant(&self) -> bool {
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

    /// Whether one value for all orders of a sheet makes sense: in a list of parcels each row is one piece.
    pub(crate) fn may_be_said_once(&self) -> bool {
        self.may_be_constant() || self.id == Id::Quantity
    }

    /// Whether a date of a spreadsheet says what is meant: in a date's column, or in words for people. Anywhere else it
    /// is a code that the spreadsheet took for a date.
    pub(crate) const fn may_be_date(&self) -> bool {
        matches!(self.kind, Kind::Instant)
            || matches!(self.id, Id::SellerNote | Id::Tags | Id::Description | Id::Category)
    }

    /// The field that says what this one is counted in.
    pub(crate) const fn unit_field(&self) -> Option<Id> {
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
    ($($id:ident = $path:literal, $header:literal, $level:ident, $kind:ident, $v1:ident, $v2:ident,
        $example:literal, $meaning:literal;)*) => {
        /// Names a field.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum Id { $(#[doc = $meaning] $id,)* }

        /// Every field, in the order in which the template shows them.
        pub const FIELDS: &[Field] = &[$(Field {
            id: Id::$id,
            path: $path,
            header: $header,
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
    OrderNumber = "orderNumber", "Order Number", Order, OrderNumber, Required, Required, "ORD-1001", "What tells the order from all others";
    OrderCreatedAt = "orderCreatedAt", "Order Date", Order, Instant, Optional, Optional, "2026-11-20T10:30", "When the order was made; the time of first staging where a sheet has none";
    ChannelId = "channelId", "Channel", Order, Text, Optional, Optional, "External", "Where the order came from";
    ShipmentType = "type", "Shipment Type", Order, Text, Optional, Optional, "External", "The type of shipment";
    SellerNote = "sellerNote", "Seller Note", Order, Text, Optional, Optional, "Leave at the gate", "A note of the seller";
    Tags = "tags", "Tags", Order, Text, Optional, Optional, "festive", "Tags, as one text";
    Carrier = "carrier", "Carrier", Order, Text, Optional, Optional, "Delhivery", "Who shall carry it";
    Service = "service", "Service", Order, Text, Optional, Optional, "Surface", "The service level";
    WarehouseId = "warehouseId", "Warehouse", Order, Warehouse, Absent, Required, "WH-1", "The warehouse it leaves from; it must exist at the service";
    ReturnAddressId = "returnAddressId", "Return Warehouse", Order, Warehouse, Absent, Optional, "WH-1", "The warehouse that it comes back to if undelivered";
    ReceiverFirstName = "receiver.firstName", "Receiver First Name", Order, Text, Required, Required, "Asha", "First name of the receiver";
    ReceiverLastName = "receiver.lastName", "Receiver Last Name", Order, Text, Optional, Optional, "Rao", "Last name of the receiver";
    ReceiverEmail = "receiver.email", "Receiver Email", Order, Email, Optional, Optional, "asha@example.com", "E-mail address of the receiver";
    ReceiverPhone = "receiver.phoneNumber", "Receiver Phone", Order, Phone, Required, Required, "9876543210", "Phone number of the receiver";
    ReceiverCompany = "receiver.companyName", "Receiver Company", Order, Text, Optional, Optional, "Rao Traders", "Company of the receiver";
    DestinationLine1 = "destination.addressLine1", "Address Line 1", Order, Text, Required, Required, "14 MG Road", "First line of the destination address";
    DestinationLine2 = "destination.addressLine2", "Address Line 2", Order, Text, Optional, Optional, "Near City Mall", "Second line of the destination address";
    DestinationCity = "destination.city", "City", Order, Text, Required, Required, "Bengaluru", "City of the destination address";
    DestinationState = "destination.state", "State", Order, Text, Required, Required, "Karnataka", "State of the destination address";
    DestinationCountry = "destination.country", "Country", Order, Text, Optional, Optional, "India", "Country of the destination address, by name; from the code where missing";
    DestinationCountryCode = "destination.countryCode", "Country Code", Order, CountryCode, Required, Required, "IN", "Country of the destination address, by ISO code";
    DestinationPinCode = "destination.pinCode", "PIN Code", Order, PinCode, Required, Required, "560001", "Postal code of the destination address";
    DestinationType = "destination.type", "Address Type", Order, Text, Optional, Optional, "Residential", "Kind of the destination address";
    SenderFirstName = "sender.firstName", "Sender First Name", Order, Text, Required, Absent, "Asha", "First name of the sender";
    SenderLastName = "sender.lastName", "Sender Last Name", Order, Text, Optional, Absent, "Rao", "Last name of the sender";
    SenderEmail = "sender.email", "Sender Email", Order, Email, Optional, Absent, "asha@example.com", "E-mail address of the sender";
    SenderPhone = "sender.phoneNumber", "Sender Phone", Order, Phone, Required, Absent, "9876543210", "Phone number of the sender";
    SenderCompany = "sender.companyName", "Sender Company", Order, Text, Optional, Absent, "Rao Traders", "Company of the sender";
    OriginLine1 = "origin.addressLine1", "Origin Address Line 1", Order, Text, Required, Absent, "14 MG Road", "First line of the origin address";
    OriginLine2 = "origin.addressLine2", "Origin Address Line 2", Order, Text, Optional, Absent, "Near City Mall", "Second line of the origin address";
    OriginCity = "origin.city", "Origin City", Order, Text, Required, Absent, "Bengaluru", "City of the origin address";
    OriginState = "origin.state", "Origin State", Order, Text, Required, Absent, "Karnataka", "State of the origin address";
    OriginCountry = "origin.country", "Origin Country", Order, Text, Optional, Absent, "India", "Country of the origin address, by name; from the code where missing";
    OriginCountryCode = "origin.countryCode", "Origin Country Code", Order, CountryCode, Required, Absent, "IN", "Country of the origin address, by ISO code";
    OriginPinCode = "origin.pinCode", "Origin PIN Code", Order, PinCode, Required, Absent, "560001", "Postal code of the origin address";
    OriginType = "origin.type", "Origin Address Type", Order, Text, Optional, Absent, "Residential", "Kind of the origin address";
    ReturnLine1 = "returnAddress.addressLine1", "Return Address Line 1", Order, Text, Optional, Absent, "14 MG Road", "First line of the return address";
    ReturnLine2 = "returnAddress.addressLine2", "Return Address Line 2", Order, Text, Optional, Absent, "Near City Mall", "Second line of the return address";
    ReturnCity = "returnAddress.city", "Return City", Order, Text, Optional, Absent, "Bengaluru", "City of the return address";
    ReturnState = "returnAddress.state", "Return State", Order, Text, Optional, Absent, "Karnataka", "State of the return address";
    ReturnCountry = "returnAddress.country", "Return Country", Order, Text, Optional, Absent, "India", "Country of the return address, by name; from the code where missing";
    ReturnCountryCode = "returnAddress.countryCode", "Return Country Code", Order, CountryCode, Optional, Absent, "IN", "Country of the return address, by ISO code";
    ReturnPinCode = "returnAddress.pinCode", "Return PIN Code", Order, PinCode, Optional, Absent, "560001", "Postal code of the return address";
    ReturnType = "returnAddress.type", "Return Address Type", Order, Text, Optional, Absent, "Residential", "Kind of the return address";
    Length = "parcelAttributes.dimension.length", "Length", Order, Measure, Required, Required, "20", "Length of the parcel";
    Width = "parcelAttributes.dimension.width", "Width", Order, Measure, Required, Required, "15", "Width of the parcel";
    Height = "parcelAttributes.dimension.height", "Height", Order, Measure, Required, Required, "10", "Height of the parcel";
    DimensionUnit = "parcelAttributes.dimension.unit", "Dimension Unit", Order, LengthUnit, Optional, Optional, "cm", "Unit of length, width and height";
    Weight = "parcelAttributes.weight.weight", "Weight", Order, Measure, Required, Required, "0.5", "Weight of the parcel";
    WeightUnit = "parcelAttributes.weight.unit", "Weight Unit", Order, WeightUnit, Optional, Optional, "kg", "Unit of the weight";
    ProductName = "productRequestsList.productName", "Product Name", Line, Text, Required, Required, "Cotton kurta", "What the line is";
    Price = "productRequestsList.price", "Price", Line, Money, Required, Required, "499.90", "Price of one piece";
    Quantity = "productRequestsList.quantity", "Quantity", Line, Quantity, Required, Required, "2", "How many pieces";
    Sku = "productRequestsList.sku", "SKU", Line, Text, Optional, Optional, "KURTA-M-01", "The seller's own code of the product";
    Category = "productRequestsList.category", "Category", Line, NullableText, Optional, Optional, "Apparel", "Category of the product";
    CurrencyCode = "productRequestsList.currencyCode", "Currency", Line, Currency, Optional, Optional, "INR", "Currency of the price";
    TaxRate = "productRequestsList.taxRate", "Tax Rate", Line, Rate, Optional, Optional, "18", "Tax rate in percent";
    LineDiscount = "productRequestsList.discount", "Product Discount", Line, MoneyText, Optional, Optional, "0", "Discount on this line";
    TaxesIncluded = "productRequestsList.taxesIncluded", "Taxes Included", Line, Flag, Optional, Optional, "yes", "Whether the price includes taxes";
    Description = "productRequestsList.description", "Description", Line, NullableText, Optional, Optional, "Blue, size M", "Description of the product";
    HsCode = "productRequestsList.hs_code", "HS Code", Line, NullableText, Optional, Optional, "6204", "Customs tariff code of the product";
    OrderType = "shippingProperties.orderType", "Payment Type", Order, Payment, Required, Required, "PREPAID", "Type of payment";
    SubTotal = "shippingProperties.subTotal", "Subtotal", Order, Money, Optional, Optional, "999.80", "Price × quantity over all lines; computed where missing";
    ShippingCharges = "shippingProperties.shippingCharges", "Shipping Charges", Order, Money, Optional, Optional, "40", "What the customer pays for shipping";
    OtherCharges = "shippingProperties.otherCharges", "Other Charges", Order, Money, Optional, Optional, "0", "Further charges";
    Discount = "shippingProperties.discount", "Order Discount", Order, Money, Optional, Optional, "0", "Discount on the whole order";
}
