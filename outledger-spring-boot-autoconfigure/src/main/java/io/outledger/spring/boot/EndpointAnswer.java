// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.StoreException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * What an endpoint answers: over HTTP, a mistake of the caller and a failure of the database have a
 * status and a reason.
 */
final class EndpointAnswer {

  private static final Logger LOG = LoggerFactory.getLogger(EndpointAnswer.class);

  private EndpointAnswer() {}

  static WebEndpointResponse<Object> of(Supplier<?> work) {
    return of(Set.of(), work);
  }

  /**
   * Returns the answer.
   *
   * @param consumers the consumers that a name may have meant, which the ledger knows nothing of
   */
  static WebEndpointResponse<Object> of(Set<String> consumers, Supplier<?> work) {
    try {
      return new WebEndpointResponse<>(work.get());
    } catch (ConfigurationException e) { // such as a name that is not there
      return e.code() == ErrorCode.UNKNOWN_SUBSCRIPTION
          ? error(WebEndpointResponse.STATUS_NOT_FOUND, e.getMessage() + alsoKnown(consumers))
          : error(WebEndpointResponse.STATUS_BAD_REQUEST, String.valueOf(e.getMessage()));
    } catch (StoreException e) {
      LOG.warn(
          "an actuator endpoint of Outledger cannot answer: {}", Printable.text(e.getMessage()));
      return error(
          e.code().isOutage()
              ? WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE
              : WebEndpointResponse.STATUS_INTERNAL_SERVER_ERROR,
          String.valueOf(e.getMessage()));
    }
  }

  /**
   * Returns the answer about a position; where there is none, what is missing. Boot itself would
   * say nothing but that the request is bad.
   *
   * @param position as it was sent; null if it was not
   */
  static WebEndpointResponse<Object> at(
      @Nullable String position, LongFunction<WebEndpointResponse<Object>> work) {
    long at;
    try {
      at = Long.parseLong(String.valueOf(position));
    } catch (NumberFormatException e) {
      return error(
          WebEndpointResponse.STATUS_BAD_REQUEST,
          "position is "
              + (position == null ? "missing" : Printable.value(position))
              + ", and must be a message's position in the ledger, or the number of what a"
              + " consumer has parked, such as {\"position\": 17} or ?position=17");
    }
    return work.apply(at);
  }

  private static String alsoKnown(Set<String> consumers) {
    return consumers.isEmpty()
        ? ""
        : "; consumers that this process listens for: "
            + new TreeSet<>(consumers)
                .stream().map(each -> '"' + each + '"').collect(Collectors.joining(", "));
  }

  private static WebEndpointResponse<Object> error(int status, String text) {
    return new WebEndpointResponse<>(Map.of("error", text), status);
  }
}
