// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Requests to a broker whose client may wait for an answer for longer than we do: they run on a
 * thread of their own, which is left behind where no answer comes.
 */
final class Requests {

  private final ExecutorService thread =
      Executors.newCachedThreadPool(
          task -> {
            Thread made = new Thread(task, "outledger-jms requests");
            made.setDaemon(true);
            return made;
          });

  /**
   * Makes a request and waits for it.
   *
   * @throws TimeoutException if there is no answer in time; whether it took effect is unknown
   * @throws Exception what the request throws
   */
  <R> R within(Duration longest, Callable<R> request) throws Exception {
    Future<R> answer = thread.submit(request);
    try {
      return answer.get(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } catch (TimeoutException e) {
      TimeoutException told = new TimeoutException("no answer from the broker in " + longest);
      told.initCause(e);
      throw told;
    }
  }

  boolean isEnded() {
    return thread.isShutdown();
  }

  void end() {
    thread.shutdown();
  }
}
