//! TLS as all connections to the service have it: one provider, this system's certificates, and what `ca_file` adds.

use std::path::Path;
use std::sync::{Arc, Once};

use rustls::ClientConfig;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls_platform_verifier::Verifier;

use super::client::ClientError;

/// The settings for connections to the service; `is_plain` where it is reached without TLS, on this machine.
pub(super) fn config(ca_file: Option<&Path>, is_plain: bool) -> Result<ClientConfig, ClientError> {
    static PROVIDER: Once = Once::new();
    PROVIDER.call_once(|| {
        // Whoever embeds this library may have installed one already; that one serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    let unready = |error: rustls::Error| ClientError::Unready(error.to_string());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions = ClientConfig::builder_with_provider(Arc::clone(&provider));
    let builder = versions.with_safe_default_protocol_versions().map_err(unready)?;
    let added = ca_file.map(certificates).transpose()?.unwrap_or_default();
    if is_plain && added.is_empty() {
        // Loopback needs no certificates, and there may be none on this machine.
        return Ok(builder.with_root_certificates(rustls::RootCertStore::empty()).with_no_client_auth());
    }
    let verifier =
        if added.is_empty() { Verifier::new(provider) } else { Verifier::new_with_extra_roots(added, provider) };
    let verifier = Arc::new(verifier.map_err(unready)?);
    Ok(builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth())
}

/// The same for connections to a database: by the certificates of this system, and those of a file.
///
/// # Errors
/// The file cannot be used, or this system gives no certificates.
pub fn verified_tls(ca_file: Option<&Path>, is_plain: bool) -> Result<Arc<ClientConfig>, ClientError> {
    config(ca_file, is_plain).map(Arc::new)
}

/// The certificates of a PEM file.
fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, ClientError> {
    let failed = |reason: String| ClientError::CaFile { path: path.to_owned(), reason };
    let pem = std::fs::read(path).map_err(|error| failed(error.to_string()))?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
    let found = found.map_err(|error| failed(error.to_string()))?;
    if found.is_empty() { Err(failed("it holds no certificate".to_owned())) } else { Ok(found) }
}
