// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.admin.SagaQuery;
import io.outledger.kafka.KafkaReceiver;
import io.outledger.saga.SagaBuilder;
import io.outledger.saga.SagaId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where a saga's messages come from, and how operators see it. */
final class Sagas {

  private Sagas() {}

  record Renewal(int cents, String currency) {}

  record PaymentTaken(String renewal) {}

  static void start(Outledger outledger, Map<String, String> settings) {
    var renewal = new RenewalSaga();
    outledger.relay("renewals").saga(renewal).start();
    KafkaReceiver.with(settings).topics("payments").start(outledger.sagas().receiver(renewal));
  }

  static void startWithABroker(Outledger outledger) {
    var renewal = new RenewalSaga();
    outledger
        .relay("renewals")
        .handler("renewal", outledger.sagas().timeoutHandlers(renewal)) // the saga's name
        .start();
  }

  static void versions(SagaBuilder<Renewal> saga) {
    saga.state(
        Renewal.class,
        t ->
            t.name("renewal.state")
                .version(2)
                .upcast(1, 2, ObjectNode.class, json -> json.put("currency", "EUR")));
  }

  static void missing(SagaBuilder<Renewal> saga) {
    saga.onMissing(
        PaymentTaken.class,
        (payment, context) -> {
          throw new IllegalStateException("paid before it was due: " + context.key());
        });
  }

  record Order(String address, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String gift) {}

  static void look(Outledger outledger) {
    var sagas = outledger.admin().sagas();
    sagas.list(SagaQuery.ALL.withSaga("renewal")).rows().forEach(System.out::println);
    System.out.println(sagas.why(new SagaId("renewal", "r-1")));
  }
}
