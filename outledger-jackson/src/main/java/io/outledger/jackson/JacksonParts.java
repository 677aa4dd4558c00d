// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson;

import com.fasterxml.jackson.core.Version;
import io.outledger.Problems;
import java.util.HashSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Whether the parts of Jackson on the class path fit one another. */
final class JacksonParts {

  /** The first version 2.x with limits in both directions. */
  private static final int MINOR_MIN = 16;

  private static final Map<String, Supplier<Version>> ALL =
      Map.of(
          "jackson-core", () -> com.fasterxml.jackson.core.json.PackageVersion.VERSION,
          "jackson-databind", () -> com.fasterxml.jackson.databind.cfg.PackageVersion.VERSION,
          "jackson-datatype-jdk8", () -> com.fasterxml.jackson.datatype.jdk8.PackageVersion.VERSION,
          "jackson-module-parameter-names",
              () -> com.fasterxml.jackson.module.paramnames.PackageVersion.VERSION,
          "jackson-datatype-jsr310",
              () -> com.fasterxml.jackson.datatype.jsr310.PackageVersion.VERSION);

  private JacksonParts() {}

  static void check() {
    check(ALL);
  }

  /** Checks parts by their names; one that is missing throws when it is asked for its version. */
  static void check(Map<String, Supplier<Version>> parts) {
    Problems problems = Problems.of("Jackson cannot be used as it is on the class path");
    Map<String, Integer> minors = new TreeMap<>();
    for (Map.Entry<String, Supplier<Version>> part : parts.entrySet()) {
      try {
        minors.put(part.getKey(), part.getValue().get().getMinorVersion());
      } catch (NoClassDefFoundError e) {
        problems.add(part.getKey() + " is missing: add it, or do not exclude it");
      }
    }
    if (new HashSet<>(minors.values()).size() > 1) {
      problems.add(
          "its parts have different versions, with which Jackson does not work: the numbers after"
              + " \"2.\" are "
              + minors
              + ". Import jackson-bom, or let Spring Boot choose the versions");
    }
    if (minors.values().stream().anyMatch(minor -> minor < MINOR_MIN)) {
      problems.add(
          "it must be 2." + MINOR_MIN + " or newer: the numbers after \"2.\" are " + minors);
    }
    problems.refuse();
  }
}
