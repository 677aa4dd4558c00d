// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.log.QuietLog;
import io.outledger.relay.context.SetTime;

/** The log of a route whose lines nobody reads. */
final class RouteLog {

  static final QuietLog NONE = new QuietLog(RouteClient.class, "route", new SetTime());

  private RouteLog() {}
}
