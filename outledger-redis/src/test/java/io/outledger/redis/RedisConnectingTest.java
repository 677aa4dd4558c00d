// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import io.outledger.ConfigurationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whom a publisher and a receiver take for their server. */
final class RedisConnectingTest {

  private static RedisURI secured(SslVerifyMode mode) {
    RedisURI uri = RedisURI.create("rediss://shop:secret@redis-1:6380");
    uri.setVerifyPeer(mode);
    return uri;
  }

  static Stream<RedisURI> unverified() {
    RedisURI startTls = RedisURI.create("redis+tls://shop:secret@redis-1:6380");
    startTls.setVerifyPeer(false);
    RedisURI sentinels = RedisURI.create("rediss-sentinel://redis-1:6380#main");
    sentinels.getSentinels().get(0).setVerifyPeer(SslVerifyMode.CA);
    return Stream.of(
        secured(SslVerifyMode.NONE),
        secured(SslVerifyMode.CA),
        RedisURI.create("rediss://shop:secret@redis-1:6380?verifyPeer=NONE"),
        startTls,
        sentinels);
  }

  @ParameterizedTest
  @MethodSource("unverified")
  void serverThatProvesNothingIsTakenOnlyWhereThatIsSaid(RedisURI unverified) {
    assertThatThrownBy(() -> RedisPublisher.to(unverified))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-021 the URI of Redis at redis-1:6380 uses TLS and turns off")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> RedisReceiver.of(unverified, "orders", "inventory"))
        .isInstanceOf(ConfigurationException.class);
    assertThat(RedisPublisher.unverified(unverified)).hasToString("RedisPublisher[redis-1:6380]");
    assertThat(RedisReceiver.unverified(unverified, "orders", "inventory")).isNotNull();
  }

  @Test
  void serverThatIsVerifiedOrWithoutTlsIsTaken() {
    RedisURI plain = RedisURI.create("redis://redis-1:6379");
    plain.setVerifyPeer(false); // there is nothing to verify
    assertThat(RedisPublisher.to(plain)).isNotNull();
    assertThat(RedisPublisher.to(secured(SslVerifyMode.FULL))).isNotNull();
  }
}
