// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import io.outledger.Require;

/** What {@link PayloadSchemas} know of a payload. */
public sealed interface WirePayload {

  /** It has no schema, such as a tombstone, or is framed already: it is published as it is. */
  WirePayload AS_IT_IS = new AsItIs();

  /** See {@link #AS_IT_IS}. */
  record AsItIs() implements WirePayload {}

  /**
   * It was written by a schema.
   *
   * @param schema by which
   * @param index what the format puts between the id and the data; mostly nothing
   * @param from where in the payload the data begins
   */
  record Written(
      RegistrySchema schema,
      @SuppressWarnings("ArrayRecordComponent") byte[] index, // it is never compared
      int from)
      implements WirePayload {

    /** Checks that nothing is null. */
    public Written {
      Require.nonNull("schema", schema);
      Require.nonNull("index", index);
    }
  }

  /**
   * It was written by a schema that is not known here, for example by a newer instance of the
   * application: the message is rejected, and tried again.
   *
   * @param why for people, such as {@code its schema, with the fingerprint …, is none that this
   *     application knows}
   */
  record Unknown(String why) implements WirePayload {

    /** Checks that nothing is null. */
    public Unknown {
      Require.nonNull("why", why);
    }
  }
}
