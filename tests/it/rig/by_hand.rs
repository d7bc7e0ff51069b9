//! Services that answer by hand, byte for byte, where the sandbox is too well-behaved.

use std::future::Future;

use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};

/// Listens on a free port and serves each connection on its own; gives the address, and what is to be aborted at the end.
pub(crate) async fn listen<S: Future<Output = ()> + Send + 'static>(
    serve: impl Fn(TcpStream) -> S + Send + 'static,
) -> (String, tokio::task::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let task = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream));
        }
    });
    (url, task)
}

/// Reads a request and gives its order number; none where the client went away.
pub(crate) async fn order_number(stream: &mut TcpStream) -> std::io::Result<Option<String>> {
    let body = request(stream).await?.map(|(_, body)| body).unwrap_or_default();
    Ok(number_in(&body).map(str::to_owned))
}

/// The order number in the body of a request.
pub(crate) fn number_in(body: &str) -> Option<&str> {
    body.split("\"orderNumber\":\"").nth(1).and_then(|rest| rest.split('"').next())
}

/// Reads a request and gives its head and its body; none where the client went away.
pub(crate) async fn request(stream: &mut TcpStream) -> std::io::Result<Option<(String, String)>> {
    let mut bytes = Vec::new();
    loop {
        if let Some(head) = bytes.windows(4).position(|part| part == b"\r\n\r\n") {
            let text = String::from_utf8_lossy(&bytes[..head]).into_owned();
            let lines = text.to_lowercase();
            let length = lines.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.parse().ok());
            if bytes.len() >= head + 4 + length.unwrap_or(0) {
                return Ok(Some((text, String::from_utf8_lossy(&bytes[head + 4..]).into_owned())));
            }
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    }
}

/// An answer, which says that the connection is closed behind it.
pub(crate) fn answer(status: &str, body: &str) -> String {
    open_answer(status, body).replacen("\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1)
}

/// An answer that says nothing of its connection.
pub(crate) fn open_answer(status: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}
