// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.languages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.event.Events;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jackson3.Jackson3Serializer;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Events that are no Java records are written and read. */
class LanguagesTest {

  /** With Jackson 2 and 3, which write the same. */
  static List<Events> both() {
    return List.of(FlatsKt.events(), FlatsKt.eventsWithJackson3());
  }

  private static Object read(Events events, String type, String json) {
    return events.readExactly(type, 1, json.getBytes(UTF_8));
  }

  @ParameterizedTest
  @MethodSource("both")
  void aKotlinDataClassWithAValueClassAndDefaultsComesBackAsItWas(Events events) {
    String json =
        "{\"flatId\":\"f-1\",\"tenants\":[{\"name\":\"Ada\"}],"
            + "\"rentedAt\":\"2026-11-26T08:00:00Z\",\"note\":null,\"deposit\":2}";
    Object rented = read(events, "flat.rented", json);
    assertThat(events.message(rented).key()).isEqualTo("f-1");
    assertThat(new String(events.message(rented).payload(), UTF_8)).isEqualTo(json);
    assertThat(events.read(events.message(rented))).isEqualTo(rented);
  }

  @ParameterizedTest
  @MethodSource("both")
  void aMissingFieldOfAKotlinDataClassHasItsDefaultAndARenamedOneItsFormerName(Events events) {
    String json =
        "{\"flatId\":\"f-1\",\"tenants\":[{\"surname\":\"Ada\"}],"
            + "\"rentedAt\":\"2026-11-26T08:00:00Z\"}";
    Object older = events.read("flat.rented", 1, json.getBytes(UTF_8));
    assertThat(((FlatRented) older).getDeposit()).isEqualTo(3);
    assertThat(((FlatRented) older).getTenants()).containsExactly(new Tenant("Ada"));
    assertThat(events.unknownFields()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("both")
  void aSealedTypeOfKotlinIsReadByItsNames(Events events) {
    String json =
        "{\"flatId\":\"f-1\",\"changes\":[{\"@type\":\"painted\",\"color\":\"red\"},"
            + "{\"@type\":\"cleaned\"}]}";
    FlatChanged changed = (FlatChanged) read(events, "flat.changed", json);
    assertThat(changed.getChanges())
        .containsExactly(new Change.Painted("red"), Change.Cleaned.INSTANCE);
    assertThat(new String(events.message(changed).payload(), UTF_8)).isEqualTo(json);
  }

  @Test
  void aKotlinClassWithoutItsModuleIsRefusedWithTheRemedy() {
    assertThatThrownBy(() -> JacksonSerializer.create().check(FlatRented.class))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("FlatRented", "com.fasterxml.jackson.module:jackson-module");
    assertThatThrownBy(() -> Jackson3Serializer.create().check(FlatRented.class))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("FlatRented", "tools.jackson.module:jackson-module");
  }

  @Test
  void aLombokValueComesBackAsItWas() {
    JacksonSerializer serializer = JacksonSerializer.create();
    KeyHandedOver event =
        new KeyHandedOver("f-1", List.of(new KeyHandedOver.Key(7)), LocalDate.of(2026, 11, 26));
    serializer.check(KeyHandedOver.class);
    List<String> unknown = new ArrayList<>();
    assertThat(serializer.read(serializer.write(event), KeyHandedOver.class, unknown::add))
        .isEqualTo(event);
    assertThat(unknown).isEmpty();
  }
}
