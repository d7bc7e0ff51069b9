//! What is said of a sheet as a file, and of its rows.

catalogue! {
    notice = SheetNotice {
        warn(SheetNotice)
            open_elsewhere() "the sheet is open in a spreadsheet program: what is not saved there is not read"
            => "save it there, and close it";
        warn(SheetNotice) no_worksheets() "a text file has no worksheets, so the one that was named plays no part";
        warn(HeaderRow) row_above_header(row: u32, header: u32; name_header)
            "row {row} is above the header in row {header}, so it is ignored"
            => "if the header is another row, name it with {1}";
        warn(HeaderRow) rows_above_header(first: u32, last: u32, header: u32; name_header) like row_above_header
            "rows {first} to {last} are above the header in row {header}, so they are ignored"
            => "if the header is another row, name it with {1}";
        warn(HeaderRow) without_headers(row: u32; name_header)
            "no row names the columns, so they are called by their letters; row {row} is the first order"
            => "if a row names them, say which one with {1}; names above the columns save questions";
        warn(HeaderRow) header_of_values(row: u32; name_header)
            "row {row} is taken as the header, but holds values instead of names"
            => "put the column names above the orders, or name their row with {1}";
        warn(ColumnUnused) nameless_columns(columns: Vec<String>)
            "{columns:column|columns} {columns:and} {columns:holds|hold} values without a header, and {columns:is|are} not sent"
            => "give the column a header, if it matters";
        warn(SheetNotice)
            other_worksheets(names: Vec<String>; choose) "other worksheets are not read: {names:quoted}"
            => "choose another one with {1}";
        warn(SheetNotice) hidden_worksheets(names: Vec<String>; choose) like other_worksheets
            "hidden worksheets are not read: {names:quoted}" => "choose another one with {1}";
        warn(SheetNotice) hidden_itself(; choose) like other_worksheets "this worksheet is hidden in the workbook"
            => "choose another one with {1}";
        warn(SheetNotice) row_out_of_order(highest: u32) "the file holds this row after row {highest}";
        warn(SheetNotice) number_formats_unknown()
            "how the numbers of this worksheet are shown cannot be read: leading zeros may be missing"
            => "save the workbook as .xlsx, and import that";
        warn(NoOrderRows) no_order_rows() "no order rows below the header"
            => "check that the right sheet was exported, and that its rows stand below the header";
    }

    sheet_twice = SheetTwice {
        warn(SheetTwice) named_twice(sheet: String) "{sheet} is named twice in this command; it is read once";
        warn(SheetTwice)
            same_as(sheet: String, other: String) "{sheet} holds the same as {other}; it is read once"
            => "if it should be another sheet, save it again and import it";
    }

    unreadable_sheet = UnreadableSheet {
        hold(UnreadableSheet)
            left_aside(why: String, hint: String) "{why}; this file is not read, and the other sheets go on without it"
            => "{hint}; then import it by itself";
    }

    bad_encoding = BadEncoding {
        warn(EncodingGuessed) guessed(encoding: &str; name_encoding)
            "the sheet is read as {encoding}, which is a guess: this is the first place that shows it"
            => "if it reads wrong, save the sheet as UTF-8, or name its encoding, for instance {1}";
        warn(ValueDamaged) lost_before() "the text has lost characters before this file was saved"
            => "look the text up where the sheet came from";
        hold(BrokenText) looks_like_dos(encoding: &str; name_encoding) "bytes that are not {encoding} text"
            => "they look like a code page of DOS: save the sheet as UTF-8, or name it with {1}";
        hold(BrokenText) undecodable(encoding: &str; name_encoding) "bytes that are not {encoding} text"
            => "save the sheet as UTF-8, or name its encoding, for instance {1}";
        hold(BrokenText) zero_byte() "a zero byte stands in this text, where something may be lost"
            => "type the cell again, or export the sheet anew";
    }

    unclosed_quote = UnclosedQuote {
        hold(BrokenText) swallows_rows(lines: usize)
            "this cell runs over {lines} lines, some of which are rows of the sheet: a quote is not closed"
            => "close or remove the quote at the cell's beginning and the one at its end, and import the sheet again";
    }

    duplicate_header = DuplicateHeader {
        warn(ColumnUnused)
            same_header(first: String, second: String) "columns {first} and {second} have the same header"
            => "give each column its own header";
    }

    ragged_row = RaggedRow {
        hold(BrokenText) in_one_cell() "all of this row stands in one cell, under one header"
            => "part it into the columns, each value under its header (in Excel: Data, Text to Columns); delete the row if it \
                is no order";
        hold(RaggedRow) ends_early(cells: usize, width: usize) "the row ends after {cells} of {width} cells"
            => "type in what is missing, or export the sheet again; if the cells after it are to be blank, save the sheet \
                once more from a spreadsheet program, which writes them all";
        hold(RaggedRow) ends_in_cell() "the file ends in this cell, and all cells above it are written longer: it may be cut off"
            => "type the whole value, or export the sheet again; if it is right, {accept}";
        hold(RaggedRow) too_wide(cells: usize, width: usize)
            "the row has {cells} cells under {width} headers, so they may stand in wrong columns"
            => "put text that contains the delimiter in quotes";
    }

    second_header = SecondHeader {
        hold(SecondTable) extra_columns(other: u32, header: u32)
            "this row is below a second row of headers, row {other}: is it another table, such as returns?"
            => "leave these rows out if they should not be shipped; if they are orders, put them into a sheet of their own, with the \
                headers of row {header}";
    }

    second_table = SecondHeader {
        warn(SecondTable) of_something_else() "another table begins here, and not one of orders; its rows are ignored"
            => "if they are orders, put them into a sheet of their own";
    }

    below_title = BelowTitle {
        // By its words: what is handed back has other row numbers, and an order in that place.
        hold(SecondTable) nobody_can_tell(row: u32, title: &str)
            "this row stands below a title in row {row}, \"{title}\": nobody can tell whether its orders should be shipped"
            => "delete the row of the title \"{title}\" alone if all orders below it should be shipped, or delete the rows below it \
                that should not as well";
        hold(SecondTable) title_says_no(title: &str; name_header)
            "the title \"{title}\" above the header says that these orders should not be shipped: is that so?"
            => "delete the row of the title, or name the row of the header with {1}, if all orders below it should be shipped; leave \
                the sheet alone if not";
        hold(SecondTable) worksheet_says_no(name: &str; choose)
            "the worksheet is called \"{name}\", as if its orders should not be shipped: is that so?"
            => "name it with {1} if they should be shipped; leave the sheet alone if not";
        hold(HandedBack)
            handed_back(header: &str, marked: bool)
            "this row {!marked}stood below a title of{/marked}{?marked}had a colour, was hidden or was struck through in{/marked} its \
            sheet: nobody can tell whether its order should be shipped"
            => "clear its \"{header}\" cell if its order should be shipped; if not, delete the row";
    }

    held_back = HeldBack {
        hold(StruckThrough) struck_through() "struck through in the workbook: is this order still to be shipped?"
            => "delete the row if it is not; if it is, delete what is struck through, or take the line through it away";
    }

    unreadable_cell = UnreadableCell {
        hold(UnreadableCell) in_or_beside() "a cell in or next to this row cannot be read"
            => "look for an error value or a formula in it, and type the value instead";
        hold(HandedBack)
            handed_back(header: &str) "this row could not be read whole when it was handed back, and may lack something"
            => "compare it with the sheet that it came from, correct it, and clear its \"{header}\" cell";
    }

    hidden_rows = HiddenRows {
        hold(HiddenRow) one_of_few(filtered: bool)
            "the row is hidden in the workbook{?filtered}, by hand or by its filter{/filtered}: should its order be shipped?"
            => "show the row if so; delete it if not";
        warn(HiddenRow) read_like_others(filtered: bool)
            "hidden{?filtered}, by hand or by the sheet's filter{/filtered}, but read like the other rows"
            => "delete the rows that should not be shipped, or show them all";
    }

    coloured_rows = ColouredRow {
        hold(ColouredRow) one_of_few() "the row has a colour in the workbook, and few rows have: should its order be shipped?"
            => "take the colour off if so; delete the row if not";
    }

    merged_cells = MergedCells {
        warn(MergedCells) read_for_each() "these cells are merged; their value is read for each of their rows"
            => "if it does not hold for each of the rows, unmerge the cells and type what does";
    }
}
