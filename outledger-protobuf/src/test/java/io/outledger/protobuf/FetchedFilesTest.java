// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import static io.outledger.servers.ScriptedRegistry.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.OutledgerException;
import io.outledger.protobuf.billing.Bill;
import io.outledger.protobuf.shop.Line;
import io.outledger.protobuf.shop.OrderPlaced;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.schemaregistry.SchemaNotFetchedException;
import io.outledger.schemaregistry.SchemaRegistry;
import io.outledger.servers.ScriptedRegistry;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Payloads in the wire format are read once the registry has said what their id is. */
final class FetchedFilesTest {

  private static final long SEED = Long.getLong("outledger.seed", 1);
  private static final int COUNT = Integer.getInteger("outledger.seeds", 20_000);
  private static final String TEXT = "syntax = \"proto3\"; message OrderPlaced {}";

  private final ScriptedRegistry peer = new ScriptedRegistry();
  private final ProtobufSerializer serializer =
      ProtobufSerializer.builder().readFrom(SchemaRegistry.at(peer.uri())).build();

  @AfterEach
  void close() {
    peer.close();
  }

  private static ScriptedRegistry.Answer has(String schema) {
    return says(
        200,
        new JsonMapper()
            .createObjectNode()
            .put("schema", schema)
            .put("schemaType", "PROTOBUF")
            .toString());
  }

  private static ScriptedRegistry.Answer hasDescriptor() {
    return has(ProtobufSerializer.registrySchema(OrderPlaced.getDescriptor()).text());
  }

  private static byte[] framed(byte[] event, int... path) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new byte[] {0, 0, 0, 0, 7});
    for (int each : path) {
      bytes.write(each);
    }
    bytes.writeBytes(event);
    return bytes.toByteArray();
  }

  private static byte[] order(int... path) {
    return framed(ProtobufSerializerTest.ORDER.toByteArray(), path);
  }

  private static <T> T eventually(Supplier<T> reading) {
    while (true) {
      try {
        return reading.get();
      } catch (SchemaNotFetchedException e) {
        Thread.onSpinWait();
      }
    }
  }

  private OrderPlaced read(byte[] payload) {
    return eventually(() -> serializer.read(payload, OrderPlaced.class));
  }

  @Test
  void anEventIsReadOnceItsIdIsKnown() {
    peer.answer(hasDescriptor());
    assertThatThrownBy(() -> serializer.read(order(0), OrderPlaced.class))
        .isInstanceOf(SchemaNotFetchedException.class)
        .hasMessageStartingWith("OUT-038");
    assertThat(read(order(0))).isEqualTo(ProtobufSerializerTest.ORDER);
    assertThat(read(order(2, 0))).isEqualTo(ProtobufSerializerTest.ORDER); // as some write it
    assertThat(serializer.readExactly(order(0), OrderPlaced.class))
        .isEqualTo(ProtobufSerializerTest.ORDER);
    assertThat(serializer.read(framed(new byte[0], 0), OrderPlaced.class))
        .isEqualTo(OrderPlaced.getDefaultInstance());
    assertThat(peer.requests()).containsExactly("GET /schemas/ids/7 ");

    List<String> unknown = new ArrayList<>();
    serializer.read(framed(new byte[] {120, 1}, 0), OrderPlaced.class, unknown::add);
    assertThat(unknown).containsExactly("15");
  }

  @Test
  void aNestedMessageIsReadByItsPath() {
    peer.answer(has(ProtobufSerializer.registrySchema(Bill.getDescriptor()).text()));
    Bill.Paid paid = Bill.Paid.newBuilder().setBy("card").build();
    assertThat(
            eventually(() -> serializer.read(framed(paid.toByteArray(), 4, 0, 2), Bill.Paid.class)))
        .isEqualTo(paid);
  }

  @ParameterizedTest
  @CsvSource({"2;2, by its schema it is Line", "2;40, no message of the file", "2;1, no message"})
  void anotherMessageOfTheFileIsAFailureOfTheMessage(String path, String why) {
    peer.answer(hasDescriptor());
    byte[] payload =
        order(List.of(path.split(";", -1)).stream().mapToInt(Integer::parseInt).toArray());
    assertThatThrownBy(() -> read(payload))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith("OUT-015")
        .hasMessageContaining(why);
    assertThat(
            eventually(
                () ->
                    serializer.read(
                        framed(Line.newBuilder().setSku("tea").build().toByteArray(), 2, 2),
                        Line.class)))
        .isEqualTo(Line.newBuilder().setSku("tea").build());
  }

  /** Some registries make a text of what was registered; then the class alone decides. */
  @Test
  void aTextOfTheRegistryIsEnough() {
    peer.answer(has(TEXT));
    assertThat(read(order(0))).isEqualTo(ProtobufSerializerTest.ORDER);
    assertThat(read(order(2, 2))).isEqualTo(ProtobufSerializerTest.ORDER);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "404 | {'error_code':40403,'message':'Schema not found'} | Schema not found",
        "200 | {'schema':'{}'} | of the type AVRO, and not of Protocol Buffers",
        "200 | {'schema':'CgE=','schemaType':'PROTOBUF'} | its descriptor cannot be parsed"
      },
      quoteCharacter = '"')
  void anIdWithoutAFileIsAFailureOfTheMessage(int status, String body, String why) {
    peer.answer(says(status, body.replace('\'', '"')));
    assertThatThrownBy(() -> read(order(0)))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageStartingWith("OUT-015")
        .hasMessageContainingAll("the id 7", why);
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 429, 503})
  void aRegistryThatIsAwayIsAnOutage(int status) {
    peer.answer(says(status, "{}"));
    assertThatThrownBy(() -> read(order(0)))
        .isInstanceOf(DestinationUnavailableException.class)
        .hasMessageContaining("status " + status);
  }

  @Test
  void aPathThatIsNotThereIsRefused() {
    peer.answer(hasDescriptor());
    for (byte[] payload :
        List.of(
            framed(new byte[0]),
            framed(new byte[0], 4, 0),
            framed(new byte[0], 1), // a length of -1
            framed(new byte[0], 0xFF, 0xFF, 0xFF, 0xFF, 0x0F),
            framed(new byte[200], 0xFE, 0x01))) {
      assertThatThrownBy(() -> read(payload))
          .isInstanceOfSatisfying(
              InvalidMessageException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.UNREADABLE_PAYLOAD));
    }
  }

  @Test
  void bytesAtRandomAreReadOrRefused() {
    peer.answer(hasDescriptor());
    byte[] whole = order(0);
    read(whole);
    for (int i = 0; i < COUNT; i++) {
      SplittableRandom random = new SplittableRandom(SEED + i);
      byte[] payload = whole.clone();
      for (int flips = random.nextInt(1, 6); flips > 0; flips--) {
        payload[random.nextInt(5, payload.length)] = (byte) random.nextInt();
      }
      try {
        serializer.read(payload, OrderPlaced.class);
      } catch (OutledgerException e) {
        assertThat(e.code()).as("seed %s", SEED + i).isEqualTo(ErrorCode.UNREADABLE_PAYLOAD);
      }
    }
  }

  @Test
  void withoutARegistryTheWireFormatIsAFailureOfTheMessage() {
    assertThatThrownBy(() -> ProtobufSerializer.create().read(order(0), OrderPlaced.class))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("readFrom(…)");
  }
}
