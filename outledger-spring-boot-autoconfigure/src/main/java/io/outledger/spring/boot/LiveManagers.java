// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslManagerBundle;

/** Keys and trusted certificates that are looked up again for each handshake. Thread-safe. */
final class LiveManagers {

  private final Supplier<SslManagerBundle> current;

  LiveManagers(Supplier<SslManagerBundle> current) {
    this.current = current;
  }

  /** Returns the keys of this moment. */
  X509ExtendedKeyManager keys() {
    return first(X509ExtendedKeyManager.class, current.get().getKeyManagers());
  }

  /** Returns the trusted certificates of this moment. */
  X509ExtendedTrustManager trust() {
    return first(X509ExtendedTrustManager.class, current.get().getTrustManagers());
  }

  private static <T> T first(Class<T> type, Object[] managers) {
    return Arrays.stream(managers)
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst()
        .orElseThrow(() -> BrokerSources.invalid("the SSL bundle has no " + type.getSimpleName()));
  }

  X509ExtendedKeyManager liveKeys() {
    return new LiveKeys();
  }

  X509ExtendedTrustManager liveTrust() {
    return new LiveTrust();
  }

  /**
   * A handshake asks for an alias, and then for what it names: where the keys change in between,
   * the alias may be gone, the handshake fails, and the client connects again.
   */
  private final class LiveKeys extends X509ExtendedKeyManager {

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
      return keys().getClientAliases(type, issuers);
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return keys().chooseClientAlias(types, issuers, socket);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
        String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
      return keys().chooseEngineClientAlias(types, issuers, engine);
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
      return keys().getServerAliases(type, issuers);
    }

    @Override
    public @Nullable String chooseServerAlias(
        String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return keys().chooseServerAlias(type, issuers, socket);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
      return keys().getCertificateChain(alias);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
      return keys().getPrivateKey(alias);
    }
  }

  private final class LiveTrust extends X509ExtendedTrustManager {

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      trust().checkServerTrusted(chain, type);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      trust().checkServerTrusted(chain, type, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      trust().checkServerTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      trust().checkClientTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      trust().checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      trust().checkClientTrusted(chain, type, engine);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return trust().getAcceptedIssuers();
    }
  }
}
