// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.security.KeyStore;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.KeyManagerFactorySpi;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.TrustManagerFactorySpi;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.SslStoreBundle;

/**
 * An SSL bundle as it is when it is asked. Clients of brokers take keys and certificates once and
 * live for months; with {@code reload-on-update}, Boot puts another bundle in the place of one
 * whose files have changed. So what the clients get asks again at each handshake. Thread-safe.
 */
final class LiveBundle implements SslBundle {

  private final Supplier<SslBundle> current;

  LiveBundle(Supplier<SslBundle> current) {
    this.current = current;
  }

  @Override
  public SslStoreBundle getStores() {
    return current.get().getStores();
  }

  @Override
  public SslBundleKey getKey() {
    return current.get().getKey();
  }

  @Override
  public SslOptions getOptions() {
    return current.get().getOptions();
  }

  @Override
  public String getProtocol() {
    return current.get().getProtocol();
  }

  /** Asks once now: what cannot be read stops the start, and not the first connection. */
  @Override
  public SslManagerBundle getManagers() {
    LiveManagers managers = new LiveManagers(() -> current.get().getManagers());
    managers.keys();
    managers.trust();
    return SslManagerBundle.of(new Keys(managers.liveKeys()), new Trust(managers.liveTrust()));
  }

  /** Names the bundle of the moment. */
  @Override
  public String toString() {
    return "LiveBundle[" + current.get() + "]";
  }

  private static final class Keys extends KeyManagerFactory {

    Keys(X509ExtendedKeyManager manager) {
      super(
          new KeyManagerFactorySpi() {
            @Override
            protected void engineInit(KeyStore store, char[] password) {}

            @Override
            protected void engineInit(ManagerFactoryParameters parameters) {}

            @Override
            protected KeyManager[] engineGetKeyManagers() {
              return new KeyManager[] {manager};
            }
          },
          null,
          KeyManagerFactory.getDefaultAlgorithm());
    }
  }

  private static final class Trust extends TrustManagerFactory {

    Trust(X509ExtendedTrustManager manager) {
      super(
          new TrustManagerFactorySpi() {
            @Override
            protected void engineInit(KeyStore store) {}

            @Override
            protected void engineInit(ManagerFactoryParameters parameters) {}

            @Override
            protected TrustManager[] engineGetTrustManagers() {
              return new TrustManager[] {manager};
            }
          },
          null,
          TrustManagerFactory.getDefaultAlgorithm());
    }
  }
}
