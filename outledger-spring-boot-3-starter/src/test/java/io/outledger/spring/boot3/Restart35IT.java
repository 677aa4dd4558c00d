// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.RestartContract;

/** A restart on this line of Spring Boot. */
class Restart35IT extends RestartContract {}
