// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.servers.TlsCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;

/** A client that lives for months shows its key of today, and trusts whom it trusts today. */
class LiveHandshakesIT {

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int TURNS_MAX = 100;

  private final TlsCertificate before = TlsCertificate.ofLoopback();
  private final TlsCertificate after = TlsCertificate.ofLoopback();

  /** Each certificate's server trusts that certificate alone, and wants one of its client. */
  @Test
  void bothSidesOfAHandshakeAreThoseOfTheBundleOfTheMoment() throws Exception {
    AtomicReference<SslBundle> current = new AtomicReference<>(bundle(before));
    SSLContext client = new LiveBundle(current::get).createSslContext();
    shakeHands(client, before.context());
    assertThatThrownBy(() -> shakeHands(client, after.context())).isInstanceOf(SSLException.class);

    current.set(bundle(after));
    shakeHands(client, after.context());
    assertThatThrownBy(() -> shakeHands(client, before.context())).isInstanceOf(SSLException.class);
  }

  private static SslBundle bundle(TlsCertificate certificate)
      throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(certificate.file())) {
      keys.load(in, TlsCertificate.PASSWORD.toCharArray());
    }
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", keys.getCertificate("server"));
    return SslBundle.of(SslStoreBundle.of(keys, TlsCertificate.PASSWORD, trusted));
  }

  private static void shakeHands(SSLContext client, SSLContext server) throws SSLException {
    SSLEngine here = client.createSSLEngine();
    SSLEngine there = server.createSSLEngine();
    here.setUseClientMode(true);
    there.setUseClientMode(false);
    there.setNeedClientAuth(true);
    here.beginHandshake();
    there.beginHandshake();
    ByteBuffer toServer = ByteBuffer.allocate(BUFFER_BYTES);
    ByteBuffer toClient = ByteBuffer.allocate(BUFFER_BYTES);
    for (int turn = 0; turn < TURNS_MAX && !(isDone(here) && isDone(there)); turn++) {
      goOn(here, toClient, toServer);
      goOn(there, toServer, toClient);
    }
    assertThat(isDone(here) && isDone(there)).isTrue();
  }

  private static boolean isDone(SSLEngine engine) {
    return engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING;
  }

  /** Does what an engine can do without an answer of the other one. */
  private static void goOn(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
    boolean goesOn = true;
    while (goesOn) {
      goesOn =
          switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> {
              engine.getDelegatedTask().run();
              yield true;
            }
            case NEED_WRAP -> {
              SSLEngineResult wrapped = engine.wrap(ByteBuffer.allocate(0), out);
              yield wrapped.getStatus() == SSLEngineResult.Status.OK;
            }
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
              in.flip();
              SSLEngineResult read = engine.unwrap(in, ByteBuffer.allocate(BUFFER_BYTES));
              in.compact();
              yield read.getStatus() == SSLEngineResult.Status.OK;
            }
            case FINISHED, NOT_HANDSHAKING -> false;
          };
    }
  }
}
