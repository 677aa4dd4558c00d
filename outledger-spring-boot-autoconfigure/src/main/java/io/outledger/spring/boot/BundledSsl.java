// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.security.KeyStore;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.auth.SslEngineFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/** Has Kafka's clients use an SSL bundle. Kafka makes it, by its name among the settings. */
public final class BundledSsl implements SslEngineFactory {

  private static final String BUNDLE = "outledger.ssl.bundle";

  private @Nullable SslBundle bundle;

  /** For Kafka. */
  public BundledSsl() {}

  /** Returns the settings of a client that uses a bundle. */
  static Map<String, Object> settings(SslBundle bundle) {
    return Map.of(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, BundledSsl.class, BUNDLE, bundle);
  }

  @Override
  public void configure(Map<String, ?> settings) {
    bundle = (SslBundle) settings.get(BUNDLE);
  }

  private SslBundle bundle() {
    return Objects.requireNonNull(bundle, "Kafka has not handed over its settings");
  }

  @Override
  public SSLEngine createClientSslEngine(String host, int port, String identification) {
    SSLEngine engine = bundle().createSslContext().createSSLEngine(host, port);
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm(identification);
    String[] ciphers = bundle().getOptions().getCiphers();
    if (ciphers != null) {
      parameters.setCipherSuites(ciphers);
    }
    String[] protocols = bundle().getOptions().getEnabledProtocols();
    if (protocols != null) {
      parameters.setProtocols(protocols);
    }
    engine.setSSLParameters(parameters);
    return engine;
  }

  @Override
  public SSLEngine createServerSslEngine(String host, int port) {
    throw new UnsupportedOperationException("this is a client's");
  }

  @Override
  public boolean shouldBeRebuilt(Map<String, Object> settings) {
    return settings.get(BUNDLE) != bundle;
  }

  @Override
  public Set<String> reconfigurableConfigs() {
    return Set.of();
  }

  @Override
  public @Nullable KeyStore keystore() {
    return bundle().getStores().getKeyStore();
  }

  @Override
  public @Nullable KeyStore truststore() {
    return bundle().getStores().getTrustStore();
  }

  @Override
  public void close() {}
}
