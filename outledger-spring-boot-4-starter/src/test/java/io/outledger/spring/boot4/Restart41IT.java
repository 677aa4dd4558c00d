// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.RestartContract;

/** A restart on this line of Spring Boot. */
class Restart41IT extends RestartContract {}
