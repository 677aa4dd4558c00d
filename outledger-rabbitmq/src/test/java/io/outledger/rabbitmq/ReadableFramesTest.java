// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.impl.AMQImpl;
import com.rabbitmq.client.impl.Frame;
import com.rabbitmq.client.impl.FrameHandler;
import io.outledger.InvalidMessageException;
import io.outledger.servers.Await;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ReadableFramesTest {

  private static final int CHANNEL = 7;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final byte[] BODY = "four".getBytes(UTF_8);

  private static Frame header(long size) throws IOException {
    return new BasicProperties.Builder().headers(Map.of("h", "v")).build().toFrame(CHANNEL, size);
  }

  private static Frame body() {
    return new Frame(AMQP.FRAME_BODY, CHANNEL, BODY);
  }

  private static ReadableFrames of(Frame... frames) {
    Queue<Frame> coming = new ArrayDeque<>(List.of(frames));
    return new ReadableFrames(
        (FrameHandler)
            Proxy.newProxyInstance(
                FrameHandler.class.getClassLoader(),
                new Class<?>[] {FrameHandler.class},
                (line, method, arguments) -> coming.poll()),
        new ReadAhead());
  }

  private static BasicProperties properties(Frame header) throws IOException {
    return (BasicProperties) AMQImpl.readContentHeaderFrom(header.getInputStream());
  }

  private static void assertIsNamed(Frame header, String why) throws IOException {
    RabbitDeliveries.Place place = new RabbitDeliveries.Place("q", 3);
    Delivery delivery =
        new Delivery(new Envelope(3, false, "", "q"), properties(header), new byte[0]);
    assertThatThrownBy(
            () -> RabbitDeliveries.read(new RabbitBinding.Reader(), place, delivery, null))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("delivery 3 of queue q")
        .hasMessageContaining(why);
  }

  @Test
  void whatCanBeReadStaysAsItIs() throws IOException {
    Frame header = header(BODY.length);
    Frame body = body();
    ReadableFrames frames = of(header, body);
    assertThat(frames.readFrame()).isSameAs(header);
    assertThat(frames.readFrame()).isSameAs(body);
  }

  /** Where none of it is taken, the broker would fill the memory. */
  @Test
  void readingWaitsOnceTooManyBytesAreNotTaken() throws Exception {
    ReadAhead ahead = new ReadAhead();
    ahead.read(20_000_000);
    CompletableFuture<Boolean> second = new CompletableFuture<>();
    Thread reading =
        new Thread(
            () -> {
              try {
                ahead.read(1);
                second.complete(true);
              } catch (IOException e) {
                second.completeExceptionally(e);
              }
            });
    reading.start();
    Await.until("it waits", PATIENCE, () -> reading.getState() == Thread.State.WAITING);
    assertThat(second).isNotDone();
    assertThat(ahead.fits()).isEqualTo(1);
    ahead.taken();
    assertThat(second.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void payloadThatIsTooLargeIsLeftOutAndNamedWithItsSizeEachTime() throws IOException {
    long size = 4_000_000_000L;
    ReadableFrames frames = of(header(size), header(size));
    for (int i = 0; i < 2; i++) {
      assertIsNamed(requireNonNull(frames.readFrame()), "4000000000 bytes");
    }
  }

  @Test
  void headersThatCannotBeReadAreNamedAndTheirPayloadStays() throws IOException {
    byte[] bytes = header(BODY.length).getPayload();
    bytes[bytes.length - 6] = '?'; // the type of the one header's value
    ReadableFrames frames = of(new Frame(AMQP.FRAME_HEADER, CHANNEL, bytes), body());
    assertIsNamed(requireNonNull(frames.readFrame()), "headers");
    assertThat(requireNonNull(frames.readFrame()).getPayload()).isEqualTo(BODY);
  }
}
