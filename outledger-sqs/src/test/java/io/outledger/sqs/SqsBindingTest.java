// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.inbox.Received;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** What a message looks like in SQS and SNS, and what is read of others' messages. */
final class SqsBindingTest {

  private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final SqsReader.Place PLACE = new SqsReader.Place("orders.fifo", "m1");

  private final SqsBinding binding = new SqsBinding("/shop");
  private final SqsReader reader = new SqsReader();

  private static Message.Builder message() {
    return Message.to("orders.fifo", "order.placed").key("k").payload("{}".getBytes(UTF_8));
  }

  private SqsBinding.Written written(Message.Builder message) {
    return binding.write(7, message.build());
  }

  private Received read(SqsBinding.Written written) {
    return read(written.body(), written.attributes());
  }

  private Received read(String body, Map<String, String> attributes) {
    Map<String, MessageAttributeValue> values = new HashMap<>();
    attributes.forEach((name, value) -> values.put(name, text(value)));
    return reader.read(PLACE, delivered(body, values), null);
  }

  private static MessageAttributeValue text(String value) {
    return MessageAttributeValue.builder().dataType("String").stringValue(value).build();
  }

  private static software.amazon.awssdk.services.sqs.model.Message delivered(
      String body, Map<String, MessageAttributeValue> attributes) {
    return software.amazon.awssdk.services.sqs.model.Message.builder()
        .messageId("m1")
        .body(body)
        .messageAttributes(attributes)
        .build();
  }

  @Test
  void fewHeadersHaveAnAttributeEach() {
    Message message = message().header("content-type", "application/json").build();
    SqsBinding.Written written = binding.write(7, message);
    assertThat(written.body()).isEqualTo("{}");
    assertThat(written.attributes())
        .containsOnlyKeys(
            "ce_specversion",
            "ce_id",
            "ce_source",
            "ce_type",
            "ce_time",
            "ce_dataversion",
            "ce_partitionkey",
            "ce_sequence",
            "content-type")
        .containsEntry("ce_id", message.id().toString())
        .containsEntry("ce_source", "/shop")
        .containsEntry("ce_type", "order.placed");
  }

  @Test
  void traceHasTheNamesThatTracersKnowAndNoOthers() {
    Message.Builder message =
        message().header("traceparent", PARENT).header("content-type", "text/plain");
    assertThat(written(message).attributes())
        .hasSize(10)
        .containsEntry("traceparent", PARENT)
        .doesNotContainKeys("ce_traceparent", SqsBinding.REST);
    assertThat(read(written(message)).headers()).containsEntry("traceparent", PARENT);
  }

  @Test
  void whatGoesBeyondTenSharesOneAttribute() {
    Message.Builder message =
        message()
            .header("content-type", "text/plain")
            .header("traceparent", PARENT)
            .header("tenant", "a=b&c%d ü 😀");
    for (int i = 0; i < 20; i++) {
      message.header("own-" + i, "value " + i);
    }
    SqsBinding.Written written = written(message);
    assertThat(written.attributes())
        .hasSize(10)
        .containsKeys(SqsBinding.REST, "content-type", "traceparent", "ce_partitionkey");
    assertThat(written.attributes().get(SqsBinding.REST)).isASCII();
    assertThat(read(written).headers())
        .containsAllEntriesOf(message.build().headers())
        .containsEntry("ce_sequence", "0000000000000000007");
  }

  @Test
  void whatAwsCannotCarrySharesOneAttribute() {
    Message.Builder message =
        message()
            .header("empty", "")
            .header("bell", "\u0007")
            .header("tab", "a\tb")
            .header(".dots..", "1")
            .header("AWS.mine", "2")
            .header("Amazon.mine", "3")
            .header("per%cent&/", "4")
            .header(SqsBinding.REST, "5")
            .header(SqsBinding.ENCODING, "6");
    SqsBinding.Written written = written(message);
    assertThat(written.attributes())
        .hasSize(10)
        .containsEntry("tab", "a\tb")
        .doesNotContainKeys("empty", "bell", ".dots..", "AWS.mine", "Amazon.mine", "per%cent&/");
    assertThat(read(written).headers()).containsAllEntriesOf(message.build().headers());
  }

  @Test
  void textOfXmlsCharactersIsTheBodyAndEverythingElseIsBase64() {
    for (String text : new String[] {"größer 😀\t\r\n", " ", "\ufffd", "\ud7ff\ue000"}) {
      SqsBinding.Written written = written(message().payload(text.getBytes(UTF_8)));
      assertThat(written.body()).isEqualTo(text);
      assertThat(read(written).payload()).isEqualTo(text.getBytes(UTF_8));
    }
    byte[][] others = {
      {0},
      "\u001b".getBytes(UTF_8),
      "\ufffe".getBytes(UTF_8),
      "\uffff".getBytes(UTF_8),
      {(byte) 0xc3}
    };
    for (byte[] bytes : others) {
      SqsBinding.Written written = written(message().payload(bytes));
      assertThat(written.body()).isBase64();
      assertThat(written.attributes()).containsEntry(SqsBinding.ENCODING, "base64");
      assertThat(read(written).payload()).isEqualTo(bytes);
      assertThat(read(written).headers()).doesNotContainKey(SqsBinding.ENCODING);
    }
  }

  @Test
  void emptyPayloadHasABodyAllTheSame() {
    SqsBinding.Written written = written(message().payload(new byte[0]));
    assertThat(written.body()).isNotEmpty();
    assertThat(read(written).payload()).isEmpty();
  }

  @Test
  void bytesAreWhatAwsCounts() {
    SqsBinding.Written written = written(message().payload("ü".getBytes(UTF_8)));
    int attributes =
        written.attributes().entrySet().stream()
            .mapToInt(each -> (each.getKey() + "String" + each.getValue()).getBytes(UTF_8).length)
            .sum();
    assertThat(written.bytes()).isEqualTo(2 + attributes);
  }

  @Test
  void whatIsNoCloudEventOrIsEncodedOtherwiseIsUnreadable() {
    Map<String, String> good = written(message()).attributes();
    assertUnreadable("{}", Map.of(), "CloudEvent");
    assertUnreadable("{}", with(good, SqsBinding.ENCODING, "gzip"), "another encoding");
    assertUnreadable("a&b", with(good, SqsBinding.ENCODING, "base64"), "another encoding");
    // Somebody says twice who it is.
    assertUnreadable("{}", with(good, SqsBinding.REST, "ce_id=7"), "more than one ce_id");
  }

  private static Map<String, String> with(Map<String, String> some, String name, String value) {
    Map<String, String> more = new HashMap<>(some);
    more.put(name, value);
    return more;
  }

  private void assertUnreadable(String body, Map<String, String> attributes, String part) {
    assertThatThrownBy(() -> read(body, attributes))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContainingAll("message m1 of queue orders.fifo", part);
  }

  @Test
  void brokenRestIsLeftOut() {
    Map<String, String> good = written(message()).attributes();
    assertThat(read("{}", with(good, SqsBinding.REST, "&&=1&%zz=2&a=%zz&b&c=3")).headers())
        .containsEntry("c", "3")
        .doesNotContainKeys("", "a", "b");
  }

  @Test
  void strangersAttributesOfOtherTypesAreRead() {
    Map<String, MessageAttributeValue> attributes = new HashMap<>();
    written(message()).attributes().forEach((name, value) -> attributes.put(name, text(value)));
    attributes.put(
        "number", MessageAttributeValue.builder().dataType("Number").stringValue("7").build());
    attributes.put(
        "binary",
        MessageAttributeValue.builder()
            .dataType("Binary")
            .binaryValue(SdkBytes.fromUtf8String("ü"))
            .build());
    Received received = reader.read(PLACE, delivered("{}", attributes), "mirror");
    assertThat(received.headers()).containsEntry("number", "7").containsEntry("binary", "ü");
    assertThat(received.origin()).isEqualTo("mirror");
    assertThat(received.topic()).isEqualTo("orders.fifo");
  }

  @Test
  void groupIsTheKeyWhereAwsAcceptsIt() {
    for (String key : new String[] {"k", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "x".repeat(128)}) {
      assertThat(FifoNames.of(key)).isEqualTo(key);
    }
    for (String key : new String[] {"a b", "ü", "x".repeat(129), "\u007f", "😀"}) {
      assertThat(FifoNames.of(key)).matches("sha256-[0-9a-f]{64}").isNotEqualTo(key);
    }
    assertThat(FifoNames.of("ü")).isNotEqualTo(FifoNames.of("ö"));
  }
}
