// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/**
 * A certificate of 127.0.0.1, newly made and signed by itself: files for a server that speaks TLS,
 * and what its clients trust. Thread-safe.
 */
public final class ServerCertificate implements AutoCloseable {
  private static final String PASSWORD = "changeit";
  private static final String ALIAS = "server";

  private final Path folder = Scratch.folder("certificate");
  private final KeyStore store;

  private ServerCertificate(String names) {
    Path file = folder.resolve("server.p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    Commands.run(
        List.of(
            keytool.toString(),
            "-genkeypair",
            "-alias",
            ALIAS,
            "-keyalg",
            "EC",
            "-dname",
            "CN=127.0.0.1",
            "-ext",
            "SAN=" + names,
            "-storetype",
            "PKCS12",
            "-storepass",
            PASSWORD,
            "-keystore",
            file.toString()));
    try (InputStream in = Files.newInputStream(file)) {
      store = KeyStore.getInstance("PKCS12");
      store.load(in, PASSWORD.toCharArray());
      write("certificate.pem", "CERTIFICATE", store.getCertificate(ALIAS).getEncoded());
      write("key.pem", "PRIVATE KEY", store.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Cannot make a certificate", e);
    }
  }

  /**
   * Makes one.
   *
   * @return the certificate, to be closed by the caller
   */
  public static ServerCertificate create() {
    return new ServerCertificate("ip:127.0.0.1,dns:localhost");
  }

  /**
   * Makes one that is good for the name {@code localhost} alone, and not for the address.
   *
   * @return the certificate, to be closed by the caller
   */
  public static ServerCertificate ofLocalhost() {
    return new ServerCertificate("dns:localhost");
  }

  /**
   * Makes one of another host, which is not this machine.
   *
   * @return the certificate, to be closed by the caller
   */
  public static ServerCertificate ofAnotherHost() {
    return new ServerCertificate("dns:nats.example.org");
  }

  /**
   * The certificate's file.
   *
   * @return a file in PEM form, for servers and for clients that trust it
   */
  public Path certificate() {
    return folder.resolve("certificate.pem");
  }

  /**
   * The private key's file.
   *
   * @return a file in PEM form, not encrypted
   */
  public Path key() {
    return folder.resolve("key.pem");
  }

  /**
   * What clients trust that trust this certificate alone.
   *
   * @return a new store of trust
   */
  public KeyStore trusted() {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry(ALIAS, store.getCertificate(ALIAS));
      return trusted;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Cannot make a store of trust", e);
    }
  }

  @Override
  public void close() {
    Scratch.delete(folder);
  }

  private void write(String name, String what, byte[] der) throws IOException {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    Path file = folder.resolve(name);
    SecretFile.create(file);
    Files.writeString(
        file,
        "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(what, base64, what),
        StandardCharsets.US_ASCII);
  }
}
