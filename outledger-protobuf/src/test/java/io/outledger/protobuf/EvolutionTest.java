// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Timestamp;
import io.outledger.ConfigurationException;
import io.outledger.protobuf.billing.Bill;
import io.outledger.protobuf.shop.OrderPlaced;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Today's message reads what older files have written, or is refused with what differs. */
final class EvolutionTest {

  private static List<String> differences(String older, String newer) {
    return Evolution.differences(Shape.of(older), Shape.of(newer));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // a number with another type
        "int32 a=1 | string a=1 | a (1): was int32 and is string",
        "int64 a=1 | int32 a=1 | a (1): was int64 and is int32",
        "int32 a=1 | sint32 a=1 | a (1): was int32 and is sint32",
        "float a=1 | double a=1 | a (1): was float and is double",
        "bytes a=1 | string a=1 | a (1): was bytes and is string",
        "int32 old=1 | string other=1 | other (1): was int32 and is string",
        "repeated int64 a=1 | repeated int32 a=1 | a (1): was int64 and is int32",
        "Line a=1 / Line: int32 n=1 | string a=1 | a (1): was message and is string",
        // a field that is gone, or has moved
        "int32 a=1, int32 b=2 | int32 a=1 | b (2): is gone, and its number is not reserved",
        "int32 a=1 | int32 a=2 | a (1): has the number 2 now, and this one is not reserved",
        "int32 a=1 | int32 b=1, int32 a=2 | a (1): has the number 2 now, and b has this one",
        // a number that was reserved
        "int32 a=1, reserved 2 | int32 a=1, int32 b=2 | b (2): has a number that was reserved",
        "int32 a=1, reserved 2-4 | int32 a=1, reserved 2-3 | the whole: 4 is no longer reserved",
        "int32 a=1, reserved 5-9 | int32 a=1 | the whole: 5 is no longer reserved",
        // once, often, not at all
        "repeated int32 a=1 | int32 a=1 | a (1): was repeated, and is no longer",
        "int32 a=1 | repeated int32 a=1 | a (1): is repeated now, which lacks the zeros",
        "optional int32 a=1 | int32 a=1 | a (1): no longer says whether it is there",
        "proto2 optional int32 a=1 | proto2 required int32 a=1 | a (1): is required now",
        "proto2 | proto2 required int32 a=1 | a (1): is new and required",
        "proto2 optional int32 a=1 default 5 | proto2 optional int32 a=1 default 7"
            + "| a (1): its default was 5 and is 7"
      })
  void aFieldThatIsReadWronglyIsTold(String older, String newer, String difference) {
    told(older, newer, difference);
  }

  private static void told(String older, String newer, String difference) {
    assertThat(differences(older, newer)).singleElement().asString().startsWith(difference);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // oneofs
        "int32 a=1, int32 b=2 | int32 a=1 in o, int32 b=2 in o"
            + "| o: the oneof has taken fields that could be there together: a, b",
        "int32 a=1, int32 b=2 in o | int32 a=1 in o, int32 b=2 in o"
            + "| o: the oneof has taken fields that could be there together: a, b",
        "int32 a=1 in o, int32 b=2 in p | int32 a=1 in o, int32 b=2 in o"
            + "| o: the oneof has taken fields that could be there together: a, b",
        "int32 a=1 in o, int32 b=2 in o | int32 a=1, int32 b=2 in o"
            + "| a (1): has left the oneof o and no longer says whether it is there",
        // enums
        "E a=1 / enum E: X=0, Y=1 | E a=1 / enum E: X=0 | a (1): the enum E: has lost Y (1)",
        "E a=1 / enum E: X=0, Y=1 | E a=1 / enum E: X=0, reserved 1"
            + "| a (1): the enum E: has lost Y (1)",
        "E a=1 / enum E: X=0, Y=1 | E a=1 / enum E: X=0, OTHER=1, Y=2"
            + "| a (1): the enum E: Y was 1 and is 2",
        "E a=1 / enum E: X=0, reserved 1 | E a=1 / enum E: X=0, Y=1"
            + "| a (1): the enum E: Y has 1, which was reserved",
        "E a=1 / enum E: X=0, reserved 1-3 | E a=1 / enum E: X=0, reserved 1-2"
            + "| a (1): the enum E: 3 is no longer reserved",
        "proto2 optional E a=1 / enum E: X=0, Y=1 | proto2 optional E a=1 / enum E: Y=1, X=0"
            + "| a (1): its default was 0 and is 1",
        // within other messages
        "repeated Line l=3 / Line: int32 n=1 | repeated Line l=3 / Line: string n=1"
            + "| l.n (1): was int32 and is string",
        "repeated Line l=3 / Line: int32 n=1 | repeated Other l=3 / Other: string n=1"
            + "| l.n (1): was int32 and is string",
        "Line l=3 / Line: reserved 4 | Line l=3 / Line: | l: 4 is no longer reserved"
      })
  void aOneofAnEnumOrAMessageThatIsReadWronglyIsTold(
      String older, String newer, String difference) {
    told(older, newer, difference);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "int32 a=1 | int32 a=1, string b=2",
        "int32 a=1, int32 b=2 | int32 a=1, reserved 2",
        "int32 a=1 | reserved 1, int32 a=2",
        "int32 a=1, reserved 2-4 | int32 a=1, reserved 2, reserved 3-9",
        "int32 a=1 | int32 renamed=1",
        "int32 a=1 | optional int32 a=1",
        "int32 a=1, int32 b=2 | int32 a=1 in o, int32 b=2",
        "int32 a=1 in o, int32 b=2 in o | int32 a=1 in o, int32 b=2 in o, int32 c=3 in o",
        "Line a=1 in o, int32 b=2 in o / Line: | Line a=1, int32 b=2 in o / Line:",
        "optional int32 a=1 | repeated int32 a=1",
        "Line a=1 / Line: int32 n=1 | repeated Line a=1 / Line: int32 n=1",
        "E a=1 / enum E: X=0 | E a=1 / enum E: X=0, Y=1",
        "E a=1 / enum E: X=0, Y=1 | E a=1 / enum E: X=0, RENAMED=1",
        "E a=1 / enum E: X=0 | int32 a=1",
        "proto2 optional int32 a=1 default 5 | proto2 optional int64 a=1 default 5",
        "proto2 optional bool a=1 default true | proto2 optional int32 a=1 default 1",
        "proto2 required int32 a=1 | int32 a=1",
        "R a=1, int32 n=2 | R a=1, int64 n=2",
      })
  void whatIsReadAsItWasIsNoDifference(String older, String newer) {
    assertThat(differences(older, newer)).isEmpty();
  }

  @Test
  void everyDifferenceIsTold() {
    assertThat(
            differences(
                "int32 a=1, int32 b=2, int32 c=3, E e=4 / enum E: X=0, Y=1, Z=2",
                "string a=1, bool b=2, E e=4 / enum E: X=0"))
        .hasSize(5);
  }

  /** What is compared rests on it: {@code descriptor.proto} reserves the number 4 there. */
  @Test
  void generatedClassesSayWhatIsReserved() {
    Reserved reserved = Reserved.of(DescriptorProtos.FieldOptions.getDescriptor());
    assertThat(reserved.contains(4)).isTrue();
    assertThat(reserved.contains(3)).isFalse();
  }

  private static FileDescriptorProto fileOf(FileDescriptor file) {
    return file.toProto();
  }

  private static FileDescriptorProto withTextAsAmount() {
    FileDescriptorProto.Builder file = fileOf(OrderPlaced.getDescriptor().getFile()).toBuilder();
    file.getMessageTypeBuilder(0).getFieldBuilder(1).setType(FieldDescriptorProto.Type.TYPE_STRING);
    return file.build();
  }

  @Test
  void theStartFailsWithTheDifference() {
    ProtobufSerializer.Builder builder =
        ProtobufSerializer.builder()
            .type(OrderPlaced.class, Shape.files(withTextAsAmount()))
            .type(String.class);
    assertThatThrownBy(builder::build)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            "OUT-021",
            "io.outledger.protobuf.shop.OrderPlaced does not read what an older file of it has"
                + " written: cents (2): was string and is int64",
            "new version of the type",
            "java.lang.String cannot be Protocol Buffers");
  }

  @Test
  void aFileThatIsTheSameStarts() {
    FileDescriptorSet same = Shape.files(fileOf(OrderPlaced.getDescriptor().getFile()));
    ProtobufSerializer serializer =
        ProtobufSerializer.builder().type(OrderPlaced.class, same, same).build();
    assertThat(serializer.read(serializer.write(ProtobufSerializerTest.ORDER), OrderPlaced.class))
        .isEqualTo(ProtobufSerializerTest.ORDER);
  }

  private static FileDescriptorSet billing(FileDescriptorProto shop) {
    return Shape.files(
        fileOf(Timestamp.getDescriptor().getFile()), shop, fileOf(Bill.getDescriptor().getFile()));
  }

  @Test
  void importedAndNestedMessagesAreCompared() {
    FileDescriptorProto shop = fileOf(OrderPlaced.getDescriptor().getFile());
    assertThatNoException()
        .isThrownBy(
            () ->
                ProtobufSerializer.builder()
                    .type(Bill.class, billing(shop))
                    .type(Bill.Paid.class, billing(shop))
                    .build());
    assertThatThrownBy(
            () ->
                ProtobufSerializer.builder().type(Bill.class, billing(withTextAsAmount())).build())
        .hasMessageContaining("order.cents (2): was string and is int64");
  }

  @Test
  void filesThatCannotBeUsedAreRefused() {
    assertThatThrownBy(
            () ->
                ProtobufSerializer.builder()
                    .type(Bill.class, Shape.files(fileOf(Bill.getDescriptor().getFile())))
                    .build())
        .hasMessageContainingAll("imports", "--include_imports");
    assertThatThrownBy(
            () ->
                ProtobufSerializer.builder()
                    .type(OrderPlaced.class, Shape.files(Shape.file("int32 a=1")))
                    .build())
        .hasMessageContainingAll("OUT-021", "no message of that name", "shop.proto");
    FileDescriptorProto broken =
        FileDescriptorProto.newBuilder().setName("broken.proto").setSyntax("proto9").build();
    assertThatThrownBy(
            () -> ProtobufSerializer.builder().type(OrderPlaced.class, Shape.files(broken)).build())
        .hasMessageContainingAll("OUT-021", "broken.proto");
  }

  @Test
  void olderFilesThatAreGivenTwiceAreRefused() {
    assertThatThrownBy(
            () ->
                ProtobufSerializer.builder()
                    .type(OrderPlaced.class)
                    .type(OrderPlaced.class)
                    .build())
        .hasMessageContaining("given twice");
  }

  @Test
  @SuppressWarnings("NullAway") // that is the point
  void nullIsRefusedWithACode() {
    List<ThrowingCallable> calls =
        List.of(
            () -> ProtobufSerializer.builder().type(null),
            () -> ProtobufSerializer.builder().type(OrderPlaced.class, (FileDescriptorSet[]) null),
            () -> ProtobufSerializer.builder().type(OrderPlaced.class, (FileDescriptorSet) null));
    assertThat(calls)
        .allSatisfy(call -> assertThatThrownBy(call).hasMessageStartingWith("OUT-021"));
  }
}
