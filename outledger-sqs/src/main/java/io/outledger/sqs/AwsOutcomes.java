// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import io.outledger.Causes;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Outcome;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;

/**
 * What an error of AWS, or of its client, means for a message. By AWS's error codes, which are
 * stable; their texts are not. No text here has a request's id, so a log can tell what it has said.
 */
final class AwsOutcomes {

  static final Outcome CLOSED = Outcome.unavailable("the relay closed its publisher");

  private static final String SQS_PREFIX = "AWS.SimpleQueueService.";
  private static final Pattern MORE = Pattern.compile("\\. | \\(|\\n");
  private static final int SERVER_FAULT = 500;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  /** The queue or topic is missing, or elsewhere. */
  private static final Set<String> MISSING =
      Set.of(
          "NonExistentQueue",
          "QueueDoesNotExist",
          "QueueDeletedRecently",
          "InvalidAddress",
          "NotFound",
          "NotFoundException");

  /** The queue or topic is there, and refuses whatever this user sends. */
  private static final Set<String> DENIED =
      Set.of(
          "AccessDenied",
          "AccessDeniedException",
          "AuthorizationError",
          "AuthorizationErrorException");

  /** The user is unknown, whatever is asked for. */
  private static final Set<String> CREDENTIALS =
      Set.of(
          "ExpiredToken",
          "ExpiredTokenException",
          "IncompleteSignature",
          "InvalidClientTokenId",
          "InvalidSignatureException",
          "MissingAuthenticationToken",
          "OptInRequired",
          "SignatureDoesNotMatch",
          "UnrecognizedClientException");

  /** It is the message itself, for certain. */
  private static final Set<String> UNACCEPTABLE =
      Set.of("InvalidMessageContents", "BatchRequestTooLong", "MessageTooLong");

  private static final Set<String> LIMITS =
      Set.of("OverLimit", "RequestLimitExceeded", "TooManyRequests", "SlowDown");

  private AwsOutcomes() {}

  /**
   * Returns what the failure of a request means for each message in it. Where it was not answered
   * in time, that tells something of a message only if there was no other in it.
   *
   * @param count how many messages it has
   */
  static Outcome outcome(String name, int count, @Nullable Throwable failure) {
    Throwable cause = cause(failure);
    if (!(cause instanceof AwsServiceException answer)) {
      String text = unanswered(name, cause);
      return count == 1 && isOverdue(cause) ? Outcome.unanswered(text) : Outcome.unavailable(text);
    }
    String code = code(answer);
    String text = said(name, code, message(answer));
    if (answer.statusCode() >= SERVER_FAULT) {
      return Outcome.unavailable(text);
    }
    if (answer.isThrottlingException() || answer.isClockSkewException()) {
      return Outcome.unreachable(text);
    }
    Outcome outcome = refused(code, text);
    boolean isDenied = answer.statusCode() == FORBIDDEN || answer.statusCode() == UNAUTHORIZED;
    return isDenied && !isTopics(outcome) ? Outcome.unreachable(text) : outcome;
  }

  /**
   * Returns what AWS says of one message of a batch.
   *
   * @param isSendersFault false where AWS blames itself
   */
  static Outcome ofEntry(
      String name, @Nullable String code, @Nullable String message, boolean isSendersFault) {
    String known = withoutPrefix(code);
    String text = said(name, known, message);
    return isSendersFault ? refused(known, text) : Outcome.unavailable(text);
  }

  private static Outcome refused(String code, String text) {
    if (code.contains("Throttl") || LIMITS.contains(code)) {
      return Outcome.unreachable(text);
    }
    if (CREDENTIALS.contains(code)) {
      return Outcome.unreachable(text);
    }
    if (MISSING.contains(code)) {
      return Outcome.topicUnavailable(
          text + "; create it (publishing creates none), or look at region and account");
    }
    if (DENIED.contains(code) || code.regionMatches(true, 0, "KMS", 0, 3)) {
      return Outcome.topicUnavailable(text + "; give the user the right to send to it");
    }
    return UNACCEPTABLE.contains(code) ? Outcome.rejected(text) : Outcome.suspect(text);
  }

  /** Says whether the failure of a batch may be due to one of its messages alone. */
  static boolean mayBeOneMessages(@Nullable Throwable failure) {
    Outcome outcome = outcome("", 1, failure);
    return outcome instanceof Outcome.Rejected && !isTopics(outcome);
  }

  static boolean isTopics(Outcome outcome) {
    return outcome instanceof Outcome.Rejected rejected
        && rejected.kind() == Outcome.Rejected.Kind.TOPIC;
  }

  /** Returns the error of a request that is no message's. */
  static DestinationUnavailableException unavailable(String name, Throwable failure) {
    Throwable cause = cause(failure);
    String text =
        cause instanceof AwsServiceException answer
            ? said(name, code(answer), message(answer))
            : unanswered(name, cause);
    return new DestinationUnavailableException(text, failure);
  }

  private static boolean isOverdue(Throwable failure) {
    return failure instanceof ApiCallTimeoutException
        || failure instanceof ApiCallAttemptTimeoutException;
  }

  private static String unanswered(String name, Throwable failure) {
    String text = beginning(failure);
    String reason = beginning(Causes.root(failure));
    return "no answer from AWS about '"
        + name
        + "': "
        + (text.contains(reason) ? text : text + ": " + reason);
  }

  /** The client's texts go on with advice, times and the numbers of channels. */
  private static String beginning(Throwable failure) {
    String text = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    return MORE.split(text, 2)[0];
  }

  private static String said(String name, String code, @Nullable String message) {
    return "AWS answered " + code + " about '" + name + "': " + message;
  }

  private static String code(AwsServiceException answer) {
    AwsErrorDetails details = answer.awsErrorDetails();
    return withoutPrefix(details == null ? null : details.errorCode());
  }

  private static String withoutPrefix(@Nullable String code) {
    if (code == null) {
      return "an error without a code";
    }
    return code.startsWith(SQS_PREFIX) ? code.substring(SQS_PREFIX.length()) : code;
  }

  private static @Nullable String message(AwsServiceException answer) {
    AwsErrorDetails details = answer.awsErrorDetails();
    return details == null ? null : details.errorMessage();
  }

  private static Throwable cause(@Nullable Throwable failure) {
    Throwable known = failure == null ? new IllegalStateException("no reason given") : failure;
    Throwable cause = known.getCause();
    boolean isWrapper = known instanceof CompletionException || known instanceof ExecutionException;
    return isWrapper && cause != null ? cause : known;
  }
}
