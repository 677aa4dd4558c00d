// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.avro.Schema;

/** Brings messages into the wire format, or says why one cannot be. Thread-safe. */
record WireFormatWriter(
    AvroSerializer serializer, BiFunction<Message, Schema, String> subjects, SchemaIds ids) {

  /** What came of a message. */
  sealed interface Result {

    /** It can be published. */
    record Written(Message message) implements Result {}

    /** It cannot. */
    record Failed(Outcome outcome) implements Result {}
  }

  /** Writes a message; waits for the registry where the id of its schema is not known yet. */
  Result write(Message message) {
    byte[] payload = message.payload();
    if (!SingleObject.isOne(payload)) {
      return new Result.Written(message);
    }
    long fingerprint = SingleObject.fingerprint(payload);
    Optional<Schema> schema = serializer.schema(fingerprint);
    if (schema.isEmpty()) {
      return failed(
          Outcome.rejected(
              "its schema, with the fingerprint "
                  + SingleObject.shown(fingerprint)
                  + ", is none that this application knows"));
    }
    String subject;
    try {
      subject = subjects.apply(message, schema.get());
    } catch (RuntimeException e) {
      return failed(Outcome.rejected("naming the subject of its schema threw " + e.getClass()));
    }
    return subject == null
        ? failed(Outcome.rejected("the subject of its schema was named null"))
        : write(message, subject, schema.get());
  }

  private Result write(Message message, String subject, Schema schema) {
    Integer id = ids.known(subject, schema);
    if (id == null) {
      RegistryAnswer answer = ids.ask(subject, schema);
      if (answer instanceof RegistryAnswer.Refused refused) {
        return failed(
            Outcome.topicUnavailable(
                "the schema of " + schema.getFullName() + " as " + subject + ": " + refused.why()));
      }
      if (answer instanceof RegistryAnswer.Away away) {
        return failed(
            away.mayBeOfOne()
                ? Outcome.topicUnavailable(
                    schema.getFullName() + " as " + subject + ": " + away.why())
                : Outcome.unavailable(away.why()));
      }
      id = ((RegistryAnswer.Given) answer).body().path("id").asInt();
    }
    return new Result.Written(message.copy().payload(WireFormat.of(id, message.payload())).build());
  }

  private static Result failed(Outcome outcome) {
    return new Result.Failed(outcome);
  }
}
