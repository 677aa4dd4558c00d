// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.guide;

import io.outledger.flow.FlowMessage;
import io.outledger.flow.MessageFlow;
import io.outledger.jdbc.Outledger;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;

/** A subscription as a stream. */
final class Streams {

  private Streams() {}

  static void start(
      Outledger outledger, Executor executor, Flow.Subscriber<FlowMessage> subscriber) {
    var flow = new MessageFlow(executor);
    outledger.relay("stream").to(flow).start();
    flow.subscribe(subscriber);
  }
}
