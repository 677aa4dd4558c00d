// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.Objects;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslStoreBundle;

/** A client that has its bundle since it was made trusts what the bundle trusts now. */
class LiveBundleTest {

  private final DefaultSslBundleRegistry registry = new DefaultSslBundleRegistry();
  private X509Certificate first;
  private X509Certificate second;

  /** The JVM trusts at least two. */
  @BeforeEach
  void certificates() throws Exception {
    TrustManagerFactory jvm =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    jvm.init((KeyStore) null);
    X509Certificate[] all =
        ((X509ExtendedTrustManager) jvm.getTrustManagers()[0]).getAcceptedIssuers();
    first = all[0];
    second = all[1];
  }

  private static SslBundle trusting(X509Certificate certificate) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("trusted", certificate);
    return SslBundle.of(SslStoreBundle.of(null, null, store));
  }

  private SslBundle bundle() {
    return BrokersOf.properties()
        .bean(SslBundles.class.getName(), registry)
        .sources()
        .bundle("p.ssl-bundle", "broker");
  }

  @Test
  void whatAClientWasGivenFollowsTheBundle() throws Exception {
    registry.registerBundle("broker", trusting(first));
    X509ExtendedTrustManager given =
        (X509ExtendedTrustManager) bundle().getManagers().getTrustManagers()[0];
    assertThat(given.getAcceptedIssuers()).containsExactly(first);

    registry.updateBundle("broker", trusting(second));
    assertThat(given.getAcceptedIssuers()).containsExactly(second);
  }

  /** Kafka's clients read the stores, and make a context for each connection. */
  @Test
  void itsStoresFollow() throws Exception {
    registry.registerBundle("broker", trusting(first));
    SslBundle given = bundle();
    registry.updateBundle("broker", trusting(second));

    KeyStore store = Objects.requireNonNull(given.getStores().getTrustStore());
    assertThat(Collections.list(store.aliases())).containsExactly("trusted");
    assertThat(store.getCertificate("trusted")).isEqualTo(second);
  }
}
