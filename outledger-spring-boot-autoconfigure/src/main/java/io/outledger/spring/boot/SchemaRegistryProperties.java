// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.Problems;
import io.outledger.Require;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.ClassUtils;

/**
 * A schema registry: with an address there is a bean for it, which the application's own serializer
 * and {@code WireFormatPublisher} take.
 *
 * @param url where it is, such as https://registry:8081; without one there is no bean
 * @param username the user, if there is one
 * @param password the user's password
 * @param answerMax how long an answer is waited for, connecting included
 */
public record SchemaRegistryProperties(
    @Nullable String url,
    @Nullable String username,
    @Nullable String password,
    @DefaultValue("5s") Duration answerMax) {

  private static final String PATH = "outledger.schema-registry";
  private static final String CLASS = "io.outledger.schemaregistry.SchemaRegistry";

  /** Adds what is wrong with them, without a value. */
  void check(Problems problems) {
    Require.nonNull("problems", problems);
    boolean hasUser = username != null || password != null;
    if (url == null) {
      if (hasUser) {
        problems.add(PATH + ".url is missing, beside a user of it: set it");
      }
      return;
    }
    if ((username == null) != (password == null)) {
      problems.add(
          PATH
              + (username == null ? ".username" : ".password")
              + " is missing: set both, or neither");
    }
    if (!ClassUtils.isPresent(CLASS, SchemaRegistryProperties.class.getClassLoader())) {
      problems.add(
          PATH
              + ".url needs outledger-avro, outledger-protobuf or outledger-json-schema: add the"
              + " one that you use");
      return;
    }
    problems.check(() -> ConfiguredSchemaRegistry.of(this));
  }

  /** Names no password, and no address, which may contain one. */
  @Override
  public String toString() {
    return "SchemaRegistryProperties[answerMax=" + answerMax + "]";
  }
}
