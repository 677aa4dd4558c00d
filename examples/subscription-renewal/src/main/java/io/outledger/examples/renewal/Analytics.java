// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.examples.renewal.Analyst.Figure;
import io.outledger.flow.MessageFlow;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.RelayBuilder;
import io.outledger.publish.KeyOrder;
import io.outledger.relay.options.Accepts;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A subscription as a reactive stream, with several subscribers. */
final class Analytics implements AutoCloseable {

  static final String SUBSCRIPTION = "analytics";

  static final Analyst.Question WORTH =
      renewal -> new Figure("worth in cents, " + renewal.currency(), renewal.cents());

  static final Analyst.Question WAYS = renewal -> new Figure("renewals, " + renewal.way(), 1);

  /** What is asked, by name. */
  static final Map<String, Analyst.Question> QUESTIONS = Map.of("worth", WORTH, "ways", WAYS);

  private final Outledger outledger;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  // One at a time for each key, since subscribers work side by side.
  private final MessageFlow stream = new MessageFlow(threads, KeyOrder.ONE_AT_A_TIME);

  Analytics(Outledger outledger, Map<String, Analyst.Question> questions) {
    this.outledger = outledger;
    FanOut fanOut = new FanOut(threads);
    questions.forEach((name, question) -> fanOut.subscribe(new Analyst(outledger, name, question)));
    stream.subscribe(fanOut);
  }

  /** The relay of the stream; to be started, or drained. */
  RelayBuilder relay() {
    return outledger.relay(SUBSCRIPTION).to("stream", Accepts.type("renewal.confirmed", 2), stream);
  }

  @Override
  public void close() {
    stream.close();
    threads.shutdown();
  }
}
