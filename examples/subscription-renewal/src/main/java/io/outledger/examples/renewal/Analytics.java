// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.examples.renewal.Analyst.Figure;
import io.outledger.flow.MessageFlow;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.publish.KeyOrder;
import io.outledger.relay.options.Accepts;
import io.outledger.store.Declaration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The ledger's subscription {@code analytics} as a reactive stream, with several subscribers. */
final class Analytics implements AutoCloseable {

  static final String SUBSCRIPTION = "analytics";

  /** In every version, which are read alike. */
  private static final Set<String> CONFIRMED =
      Set.of(Declaration.type("renewal.confirmed", 1), Declaration.type("renewal.confirmed", 2));

  static final Analyst.Question WORTH =
      renewal -> new Figure("worth in cents, " + renewal.currency(), renewal.cents());

  static final Analyst.Question WAYS = renewal -> new Figure("renewals, " + renewal.way(), 1);

  /** What is asked, by name. */
  static final Map<String, Analyst.Question> QUESTIONS = Map.of("worth", WORTH, "ways", WAYS);

  private final Outledger outledger;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  // One at a time for each key, since subscribers work side by side.
  private final MessageFlow stream = new MessageFlow(threads, KeyOrder.ONE_AT_A_TIME);

  private final FanOut fanOut;

  Analytics(Outledger outledger, Map<String, Analyst.Question> questions) {
    this.outledger = outledger;
    List<Analyst> analysts = new ArrayList<>();
    questions.forEach((name, question) -> analysts.add(new Analyst(outledger, name, question)));
    fanOut = new FanOut(threads, analysts);
    stream.subscribe(fanOut);
  }

  /** The relay of the stream; to be started, or drained, and closed after this. */
  RelayBuilder relay() {
    return outledger.relay(SUBSCRIPTION).to("stream", Accepts.types(CONFIRMED), stream);
  }

  /** Ends the stream, and then the threads of those who read it. */
  @Override
  public void close() {
    stream.close();
    fanOut.awaitEnd();
    threads.shutdown();
  }
}
