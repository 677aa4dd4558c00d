// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.inbox.Received;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.SectionEncoder;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.messaging.AmqpSequence;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Section;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AmqpBindingTest {

  private static final AmqpBinding.From FROM = new AmqpBinding.From("orders", "place");
  private static final Message MESSAGE =
      Message.to("orders", "order.placed").key("a").header("note", "ü").build();

  private static final AmqpBroker BROKER = AmqpBroker.at("localhost", 5672);

  private final SectionEncoder encoder = new SectionEncoder(CodecFactory.getDefaultEncoder());
  private final AmqpBinding.Reader reader = new AmqpBinding.Reader();

  private Received read(Section<?>... sections) {
    ProtonBuffer buffer = ProtonByteArrayBufferAllocator.allocator().allocate();
    for (Section<?> section : sections) {
      encoder.write(buffer, section);
    }
    return reader.read("message 1", FROM, bytes(buffer));
  }

  private static byte[] bytes(ProtonBuffer buffer) {
    byte[] bytes = new byte[buffer.getReadableBytes()];
    buffer.readBytes(bytes, 0, bytes.length);
    return bytes;
  }

  private static byte[] written() {
    AmqpPublisher publisher = AmqpPublisher.to(BROKER);
    return bytes(new AmqpBinding(publisher.choices()).write(7, "orders", MESSAGE));
  }

  private static ApplicationProperties event(String prefix, Map<String, Object> more) {
    Map<String, Object> all = new HashMap<>(more);
    all.put(prefix + "specversion", "1.0");
    all.put(prefix + "id", "1");
    all.put(prefix + "source", "/shop");
    all.put(prefix + "type", "order.placed");
    return new ApplicationProperties(all);
  }

  @Test
  void whatInstructedTheBrokerIsNotPassedOn() {
    Map<String, Object> given = Map.of("_AMQ_DUPL_ID", "1", "JMSXDeliveryCount", 2, "tenant", "a");
    Received received = read(event("cloudEvents_", given), new Data(new byte[] {1}));
    assertThat(received.headers()).containsExactly(Map.entry("tenant", "a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cloudEvents_", "cloudEvents:"})
  void bothPrefixesOfTheBindingAreRead(String prefix) {
    Received received =
        read(event(prefix, Map.of(prefix + "partitionkey", "k")), new Data(new byte[] {1}));
    assertThat(received.id()).isEqualTo("1");
    assertThat(received.source()).isEqualTo("/shop");
    assertThat(received.key()).isEqualTo("k");
    assertThat(received.topic()).isEqualTo("orders");
  }

  /** Whoever adds the other ones on the way must not change who the message is. */
  @Test
  void attributesWithAnUnderscoreWinOverThoseWithAColon() {
    Map<String, Object> added =
        Map.of("cloudEvents:specversion", "1.0", "cloudEvents:id", "2", "cloudEvents:source", "/x");
    Received received = read(event("cloudEvents_", added), new Data(new byte[0]));
    assertThat(received.id()).isEqualTo("1");
    assertThat(received.source()).isEqualTo("/shop");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/größe", "a\tb", " "})
  void contentTypeThatIsNoSymbolOfAmqpIsRefused(String contentType) {
    Message message = MESSAGE.copy().header("content-type", contentType).build();
    AmqpBinding binding = new AmqpBinding(AmqpPublisher.to(BROKER).choices());
    assertThatThrownBy(() -> binding.write(1, "orders", message))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("content type");
    assertThatThrownBy(() -> binding.write(1, "größe", MESSAGE))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("address");
  }

  @Test
  void typedValuesAreRead() {
    Instant time = Instant.parse("2024-05-06T07:08:09.123Z");
    Map<String, Object> typed =
        Map.of(
            "cloudEvents_time",
            Date.from(time),
            "cloudEvents_dataversion",
            3,
            "flag",
            true,
            "bytes",
            new Binary("ü".getBytes(UTF_8)),
            "none",
            List.of(1));
    Received received = read(event("cloudEvents_", typed), new Data(new byte[0]));
    assertThat(received.time()).isEqualTo(time);
    assertThat(received.version()).isEqualTo(3);
    assertThat(received.headers())
        .containsEntry("flag", "true")
        .containsEntry("bytes", "ü")
        .doesNotContainKey("none");
  }

  @Test
  void bodiesOfSeveralKindsAreRead() {
    ApplicationProperties event = event("cloudEvents_", Map.of());
    assertThat(read(event, new Data(new byte[] {1}), new Data(new byte[] {2})).payload())
        .containsExactly(1, 2);
    assertThat(read(event, new AmqpValue<>("ü")).payload()).isEqualTo("ü".getBytes(UTF_8));
    assertThat(read(event, new AmqpValue<>(new Binary(new byte[] {3}))).payload())
        .containsExactly(3);
    assertThatThrownBy(() -> read(event, new AmqpSequence<>(List.of("a"))))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("neither bytes nor text");
    assertThatThrownBy(() -> read(event))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("neither bytes nor text");
  }

  @Test
  void groupIsTheKeyWhereTheEventHasNone() {
    Properties grouped = new Properties().setGroupId("g").setContentType("text/plain");
    Received received = read(grouped, event("cloudEvents_", Map.of()), new Data(new byte[0]));
    assertThat(received.key()).isEqualTo("g");
    assertThat(received.headers()).containsEntry("content-type", "text/plain");
  }

  /** Nothing but the one kind of failure may come of a stranger's bytes. */
  @Test
  void whateverIsDamagedIsReadOrIsUnreadable() {
    long seed = Long.getLong("outledger.seed", 1);
    int count = Integer.getInteger("outledger.seeds", 20_000);
    byte[] good = written();
    int unreadable = 0;
    for (int i = 0; i < count; i++) {
      Random random = new Random(seed + i);
      byte[] bad = Arrays.copyOf(good, 1 + random.nextInt(good.length));
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        bad[random.nextInt(bad.length)] = (byte) random.nextInt();
      }
      try {
        assertThat(reader.read("message", FROM, bad)).as("seed %s", seed + i).isNotNull();
      } catch (InvalidMessageException e) {
        unreadable++;
        assertThat(e.getMessage()).as("seed %s", seed + i).contains("OUT-014");
      }
    }
    assertThat(unreadable).isPositive();
  }

  @Test
  void messageIsReadAsItWasWritten() {
    Received received = reader.read("message", FROM, written());
    assertThat(received.id()).isEqualTo(MESSAGE.id().toString());
    assertThat(received.key()).isEqualTo("a");
    assertThat(received.headers()).containsEntry("note", "ü");
    assertThat(received.origin()).isEqualTo("place");
  }

  @Test
  void groupDependsOnTheKeyAloneAndThereAreNoMoreThanWereAskedFor() {
    AmqpPublisher.Grouping some = new AmqpPublisher.Grouping(16);
    Set<String> groups = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      groups.add(String.valueOf(some.groupOf("key-" + i)));
    }
    assertThat(groups).hasSize(16);
    assertThat(some.groupOf("key-1")).isEqualTo(some.groupOf("key-1")).isEqualTo("outledger-0");
    assertThat(some.groupOf(null)).isNull();
    assertThat(AmqpPublisher.Grouping.OF_KEY.groupOf("key-1")).isEqualTo("key-1");
    assertThat(AmqpPublisher.Grouping.NONE.groupOf("key-1")).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, (1 << 20) + 1})
  void numberOfGroupsOutOfRangeIsRefused(int groups) {
    AmqpPublisher publisher = AmqpPublisher.to(BROKER);
    assertThatThrownBy(() -> publisher.groupByKey(groups))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("OUT-021");
  }
}
