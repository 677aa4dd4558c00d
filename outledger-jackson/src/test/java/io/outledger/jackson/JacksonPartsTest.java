// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.Version;
import io.outledger.ConfigurationException;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class JacksonPartsTest {

  @Test
  void thoseOfThisBuildFit() {
    assertThatNoException().isThrownBy(JacksonSerializer::checkClassPath);
  }

  @Test
  void everythingThatDoesNotFitIsListed() {
    assertThatThrownBy(
            () ->
                JacksonParts.check(
                    Map.of(
                        "jackson-core",
                        version(9),
                        "jackson-databind",
                        version(21),
                        "jackson-datatype-jsr310",
                        () -> {
                          throw new NoClassDefFoundError("PackageVersion");
                        })))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("OUT-021")
        .hasMessageContaining("jackson-datatype-jsr310 is missing")
        .hasMessageContaining("different versions")
        .hasMessageContaining("{jackson-core=9, jackson-databind=21}")
        .hasMessageContaining("2.16 or newer");
  }

  @Test
  void patchesMayDiffer() {
    assertThatNoException()
        .isThrownBy(
            () ->
                JacksonParts.check(
                    Map.of(
                        "jackson-core",
                        () -> new Version(2, 21, 4, null, null, null),
                        "jackson-databind",
                        () -> new Version(2, 21, 5, null, null, null))));
  }

  private static Supplier<Version> version(int minor) {
    return () -> new Version(2, minor, 0, null, null, null);
  }
}
