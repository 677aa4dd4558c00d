// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import io.outledger.receive.ReceiverSettings;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** What a running receiver keeps from one opening of its queue to the next. For one thread. */
final class SqsSession {

  private static final Logger LOG = LoggerFactory.getLogger(SqsSession.class);

  private final SqsAsyncClient client;
  private final SqsQueue queue;
  private final Duration visibility;
  private final ReceiverSettings settings;
  private final SqsDeliveries.Unfinished unfinished = new SqsDeliveries.Unfinished();
  private boolean isChecked;

  SqsSession(
      SqsAsyncClient client, SqsQueue queue, Duration visibility, ReceiverSettings settings) {
    this.client = client;
    this.queue = queue;
    this.visibility = visibility;
    this.settings = settings;
  }

  /**
   * Finds the queue, and says once what of it is to be feared.
   *
   * @throws io.outledger.publish.DestinationUnavailableException if that is not possible now
   */
  SqsDeliveries open() throws InterruptedException {
    SqsCalls calls = SqsCalls.open(client, queue);
    if (!isChecked) {
      check(calls);
      isChecked = true;
    }
    return SqsDeliveries.open(calls, visibility, settings, unfinished);
  }

  private void check(SqsCalls calls) throws InterruptedException {
    try {
      QueueCheck.warnings(queue, calls.attributes().get()).forEach(LOG::warn);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof AwsServiceException)) {
        throw AwsFailures.unavailable(queue.given(), e);
      }
      LOG.info(
          "cannot see whether SQS would take messages away: {}",
          AwsFailures.unavailable(queue.given(), e).getMessage());
    }
  }
}
