// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** What an endpoint answers: over HTTP, a mistake of the caller has a status and a reason. */
final class EndpointAnswer {

  private EndpointAnswer() {}

  static WebEndpointResponse<Object> of(Supplier<?> work) {
    try {
      return new WebEndpointResponse<>(work.get());
    } catch (ConfigurationException e) { // such as a name that is not there
      return new WebEndpointResponse<>(
          Map.of("error", String.valueOf(e.getMessage())),
          e.code() == ErrorCode.UNKNOWN_SUBSCRIPTION
              ? WebEndpointResponse.STATUS_NOT_FOUND
              : WebEndpointResponse.STATUS_BAD_REQUEST);
    }
  }
}
