// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.modulith21;

import io.outledger.spring.contract.OwnClientsContract;

/** With those of Spring Boot 4.1. */
class OwnClients41IT extends OwnClientsContract {

  OwnClients41IT() {
    super("4.2.");
  }
}
