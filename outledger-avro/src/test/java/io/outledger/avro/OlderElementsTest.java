// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.InvalidMessageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Payloads of an older schema whose elements were smaller are read to the end, which Avro's own
 * reader refuses: it measures what is left by what today's elements need.
 */
final class OlderElementsTest {

  private static final long SEED = Long.getLong("outledger.seed", 1);

  private static final String LINE =
      "{'type':'record','name':'Line','fields':[{'name':'sku','type':'string'}]}";

  private static final String LINE_TODAY =
      "{'type':'record','name':'Line','fields':[{'name':'sku','type':'string'},"
          + "{'name':'weight','type':'double','default':0},"
          + "{'name':'count','type':'int','default':1}]}";

  private static final String NONE = "{'type':'record','name':'Line','fields':[]}";

  private static final String TWO_OF_NONE =
      "{'type':'record','name':'Line','fields':["
          + "{'name':'a','type':{'type':'record','name':'E','fields':[]}},"
          + "{'name':'b','type':'E'}]}";

  private static Schema with(String field) {
    return Orders.schema(
        "{'type':'record','name':'R','fields':[{'name':'f','type':%s}]}"
            .formatted(field)
            .replace('\'', '"'));
  }

  private static AvroSerializer both(Schema today, Schema older) {
    return AvroSerializer.builder().records(today, older).build();
  }

  private static byte[] written(Schema schema, Object field) {
    GenericRecord record = new GenericData.Record(schema);
    record.put("f", field);
    return AvroSerializer.builder().records(schema).build().write(record);
  }

  private static GenericRecord line(String sku) {
    GenericRecord line = new GenericData.Record(Orders.schema(LINE.replace('\'', '"')));
    line.put("sku", sku);
    return line;
  }

  @Test
  void elementsThatHaveGainedFieldsAreRead() {
    Schema older = with("{'type':'array','items':" + LINE + "}");
    Schema today = with("{'type':'array','items':" + LINE_TODAY + "}");
    byte[] payload = written(older, List.of(line("ABC123"), line("ABC123"), line("ABC123")));
    assertThat(both(today, older).read(payload, GenericRecord.class).get("f"))
        .hasToString(
            "["
                + "{\"sku\": \"ABC123\", \"weight\": 0.0, \"count\": 1}, ".repeat(2)
                + "{\"sku\": \"ABC123\", \"weight\": 0.0, \"count\": 1}]");
  }

  @Test
  void valuesOfAMapThatHaveGainedFieldsAreRead() {
    Schema older = with("['null',{'type':'map','values':" + LINE + "}]");
    Schema today = with("['null',{'type':'map','values':" + LINE_TODAY + "}]");
    byte[] payload = written(older, Map.of("a", line("s"), "b", line("s")));
    Map<?, ?> read = (Map<?, ?>) both(today, older).read(payload, GenericRecord.class).get("f");
    assertThat(read).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({"int,long", "int,float", "int,double", "long,double", "float,double"})
  void numbersThatHaveBecomeWiderAreRead(String from, String to) {
    Schema older = with("{'type':'array','items':'" + from + "'}");
    Schema today = with("{'type':'array','items':'" + to + "'}");
    List<? extends Number> numbers =
        switch (from) {
          case "int" -> List.of(1, 2, 3);
          case "long" -> List.of(1L, 2L, 3L);
          default -> List.of(1f, 2f, 3f);
        };
    List<?> read =
        (List<?>) both(today, older).read(written(older, numbers), GenericRecord.class).get("f");
    assertThat(read.stream().map(each -> ((Number) each).intValue())).containsExactly(1, 2, 3);
  }

  @Test
  void everyOlderPayloadIsReadAndEveryCutOneRefused() {
    Schema older = with("{'type':'array','items':{'type':'map','values':" + LINE + "}}");
    Schema today = with("{'type':'array','items':{'type':'map','values':" + LINE_TODAY + "}}");
    AvroSerializer serializer = both(today, older);
    for (int i = 0; i < 300; i++) {
      SplittableRandom random = new SplittableRandom(SEED + i);
      List<Map<String, GenericRecord>> maps =
          random
              .ints(random.nextInt(5), 0, 4)
              .mapToObj(size -> size == 0 ? Map.<String, GenericRecord>of() : two(size, random))
              .toList();
      byte[] payload = written(older, maps);
      List<?> read = (List<?>) serializer.read(payload, GenericRecord.class).get("f");
      assertThat(read).as("seed %s", SEED + i).hasSameSizeAs(maps);
      byte[] cut = Arrays.copyOf(payload, payload.length - 1);
      assertThatThrownBy(() -> serializer.read(cut, GenericRecord.class))
          .as("seed %s", SEED + i)
          .isInstanceOf(InvalidMessageException.class);
      assertThatThrownBy(
              () ->
                  serializer.read(Arrays.copyOf(payload, payload.length + 1), GenericRecord.class))
          .hasMessageContaining("something follows");
    }
  }

  private static Map<String, GenericRecord> two(int size, SplittableRandom random) {
    return Map.of("a", line("x".repeat(random.nextInt(9))), "b".repeat(size + 1), line(""));
  }

  /** What is not there is not made: neither by a count, nor by a block that says its length. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        LINE + "|2000000000",
        NONE + "|2000000000",
        NONE + "|100000",
        TWO_OF_NONE + "|100000"
      })
  void aCountThatIsNotThereIsNotBelieved(String element, long count) throws IOException {
    Schema older = with("{'type':'array','items':" + element + "}");
    String sku = "'sku','type':'string'";
    Schema today =
        with("{'type':'array','items':" + LINE_TODAY.replace(sku, sku + ",'default':''") + "}");
    AvroSerializer serializer = both(today, older);
    byte[] header = Arrays.copyOf(written(older, List.of()), SingleObject.HEADER_BYTES);
    for (boolean isSized : new boolean[] {false, true}) {
      ByteArrayOutputStream payload = new ByteArrayOutputStream();
      payload.writeBytes(header);
      BinaryEncoder out = EncoderFactory.get().directBinaryEncoder(payload, null);
      out.writeLong(isSized ? -count : count);
      if (isSized) {
        out.writeLong(0);
      }
      out.writeLong(0);
      assertThatThrownBy(() -> serializer.read(payload.toByteArray(), GenericRecord.class))
          .isInstanceOf(InvalidMessageException.class);
    }
  }
}
