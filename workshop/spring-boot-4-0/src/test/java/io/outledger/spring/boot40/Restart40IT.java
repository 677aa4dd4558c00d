// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot40;

import io.outledger.spring.contract.RestartContract;

/** A restart on this line of Spring Boot. */
class Restart40IT extends RestartContract {}
