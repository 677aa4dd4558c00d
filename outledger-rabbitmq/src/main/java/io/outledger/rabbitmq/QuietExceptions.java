// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import com.rabbitmq.client.impl.DefaultExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what ends a connection out of the log, where the client would write a stack trace each
 * time: whoever uses the connection is told, and says so.
 */
final class QuietExceptions extends DefaultExceptionHandler {

  private static final Logger LOG = LoggerFactory.getLogger(QuietExceptions.class);

  @Override
  protected void log(String message, Throwable failure) {
    LOG.debug("{}: {}", message, failure.toString());
  }
}
