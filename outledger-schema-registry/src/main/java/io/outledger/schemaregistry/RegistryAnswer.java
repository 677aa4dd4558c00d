// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import com.fasterxml.jackson.databind.JsonNode;

/** What came of asking a schema registry. */
sealed interface RegistryAnswer {

  /** Returns this answer, with words before its own that say of what it is. */
  default RegistryAnswer about(String what) {
    if (this instanceof Refused refused) {
      return new Refused(what + refused.why());
    }
    return this instanceof Away away ? new Away(what + away.why(), away.mayBeOfOne()) : this;
  }

  /**
   * It gave what was asked for.
   *
   * @param body its answer
   */
  record Given(JsonNode body) implements RegistryAnswer {}

  /**
   * It has decided, and would say the same again: there is no such schema, or it is incompatible.
   *
   * @param why for people, with the registry's own words
   */
  record Refused(String why) implements RegistryAnswer {}

  /**
   * It did not answer, or nothing that says anything of the schema, such as that it is overloaded,
   * or that the credentials are wrong.
   *
   * @param why for people, with the registry's own words
   * @param mayBeOfOne whether the answer may be about what was asked for alone, such as that it is
   *     forbidden; false where nothing came, or what every request would have got
   */
  record Away(String why, boolean mayBeOfOne) implements RegistryAnswer {}
}
