// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A self-signed certificate of a server, made by the JDK's keytool, in a folder that goes with the
 * JVM. Immutable and thread-safe.
 */
public final class TlsCertificate {

  /** The password of the key store and of the key. */
  public static final String PASSWORD = "outledger";

  private final Path file;

  private TlsCertificate(Path file) {
    this.file = file;
  }

  /** Makes a certificate for {@code localhost} and 127.0.0.1. */
  public static TlsCertificate ofLoopback() {
    return of("dns:localhost,ip:127.0.0.1");
  }

  /** Makes a certificate for another host's name, such as {@code mail.example.org}. */
  public static TlsCertificate ofHost(String name) {
    return of("dns:" + name);
  }

  private static TlsCertificate of(String names) {
    Path file = Scratch.folder("tls").resolve("key.p12");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Commands.run(
        List.of(
            keytool,
            "-genkeypair",
            "-alias",
            "server",
            "-keyalg",
            "EC",
            "-dname",
            "CN=server",
            "-ext",
            "san=" + names,
            "-validity",
            "2",
            "-storetype",
            "PKCS12",
            "-keystore",
            file.toString(),
            "-storepass",
            PASSWORD));
    return new TlsCertificate(file);
  }

  /** Returns the PKCS12 key store that holds key and certificate. */
  public Path file() {
    return file;
  }

  /** Returns a context for a server that has this certificate, and for clients that trust it. */
  public SSLContext context() {
    try (InputStream in = Files.newInputStream(file)) {
      char[] password = PASSWORD.toCharArray();
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, password);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, password);
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry("server", store.getCertificate("server"));
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("The certificate in " + file + " cannot be used", e);
    }
  }
}
