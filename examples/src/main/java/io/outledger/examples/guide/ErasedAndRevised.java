// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.Revision;
import io.outledger.jdbc.admin.Verb;
import io.outledger.store.ParkedPlace;
import java.nio.charset.StandardCharsets;

/** Changes what messages say: the programs of docs/operations.md. */
final class ErasedAndRevised {

  private ErasedAndRevised() {}

  static void erase(Requests requests) {
    requests.ask(Verb.Erase.key("customer-7").by("anna", "ticket 4711: right to erasure"));
  }

  static void revise(Requests requests, ParkedPlace place) {
    Revision fixed = Revision.payload("{\"amount\": 1.5}".getBytes(StandardCharsets.UTF_8));
    requests.ask(new Verb.Revise("kafka", place, fixed).by("anna", "the amount had a comma"));
  }
}
